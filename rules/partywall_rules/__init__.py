"""The built-in rules, a folder for each lane."""
