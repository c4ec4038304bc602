"""One module per LSP feature, each a function of a document and a position."""
