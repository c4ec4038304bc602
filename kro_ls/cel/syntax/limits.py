"""The limits that cel-go's parser has by default (cel-go `parser/options.go`)."""

CODE_POINTS = 100_000
"""Length of an expression."""

NODES = 100_000
"""Nodes of an expression, those that macros add included."""

RECURSION = 250
"""Nesting of one grammar rule, and nesting of operators, selections and method calls in the tree."""

SYNTAX_ERRORS = 100
"""Syntax errors after which parsing stops."""

RECOVERIES = 30
"""Attempts to recover from a syntax error."""

SKIPPED_TOKENS = 256
"""Tokens that one attempt to recover may skip."""

ERRORS = 100
"""Errors that are kept of one expression."""
