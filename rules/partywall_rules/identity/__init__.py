"""Becoming somebody else."""
