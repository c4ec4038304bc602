"""Completion of expressions, YAML and SimpleSchema."""
