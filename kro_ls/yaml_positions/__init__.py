"""Text and positions, positioned YAML trees over chunks, and exact source maps for scalars."""
