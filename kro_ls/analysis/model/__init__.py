"""A ResourceGraphDefinition as values, read from its YAML."""
