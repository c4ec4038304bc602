"""What commands print: one module per format, each a function from a report to a text."""
