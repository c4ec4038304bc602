"""What a hover tells of expressions, YAML and SimpleSchema."""
