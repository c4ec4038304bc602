"""What stands at a place of a document, and what may stand there. Nothing here knows LSP."""
