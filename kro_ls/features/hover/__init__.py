"""What a hover says about expressions, YAML and SimpleSchema."""
