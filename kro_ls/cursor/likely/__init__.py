"""What is likely typed next in an expression, by its place, its type and what the definition says elsewhere."""
