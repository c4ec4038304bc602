"""From CEL text to a tree: tokens, grammar, macros, and errors in the words of cel-go."""
