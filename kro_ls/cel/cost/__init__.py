"""What evaluating an expression can cost at most, in the units of cel-go, by its types and the sizes of its data."""
