"""What is likely typed next in an expression, told by its place, its type and what the definition says elsewhere."""
