"""The YAML of a definition, and the fields of ResourceGraphDefinition itself."""
