"""The YAML of a definition, and the own fields of ResourceGraphDefinition."""
