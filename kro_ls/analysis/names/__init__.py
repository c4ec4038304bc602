"""What the names in expressions mean, and the dependency graph that follows from them."""
