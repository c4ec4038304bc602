"""Text and YAML events to a positioned tree: what is read, and what is repaired on the way."""
