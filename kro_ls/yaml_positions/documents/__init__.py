"""Documents as chunks: where a text is cut, what stands where, and what an edit parses again."""
