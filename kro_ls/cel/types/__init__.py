"""CEL types and the checker."""
