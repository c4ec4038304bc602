"""Texts from analyses and values: drawings of the graph, and YAML."""
