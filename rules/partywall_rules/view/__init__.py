"""Looking at another tenant's work."""
