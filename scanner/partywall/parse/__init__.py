"""Documents to facts: the only place where raw JSON, YAML and text is looked into."""
