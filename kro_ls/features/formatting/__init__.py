"""Writes expressions with the usual blanks; YAML itself is left to those who format YAML."""
