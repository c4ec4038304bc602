"""What `kro-ls check` prints: one module per format, each a function from a report to a text."""
