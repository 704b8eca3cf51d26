"""Capacity that belongs to others."""
