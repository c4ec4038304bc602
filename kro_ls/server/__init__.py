"""The language server: pygls wiring around the features."""
