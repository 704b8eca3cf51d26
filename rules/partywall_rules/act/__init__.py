"""Acting on another tenant's things."""
