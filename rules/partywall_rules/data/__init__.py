"""Another tenant's data, keys, secrets and images."""
