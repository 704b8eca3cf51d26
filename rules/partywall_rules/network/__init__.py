"""Connections between tenants."""
