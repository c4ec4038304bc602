"""Texts made of analyses and values: drawings of the graph, and YAML."""
