"""Texts made from analyses and values: drawings of the graph, plans, pages, YAML."""
