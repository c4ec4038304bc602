"""Any definition as a typed composition in Python, which builds an equal definition."""
