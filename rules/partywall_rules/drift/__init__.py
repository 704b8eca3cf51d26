"""Contracts and reality."""
