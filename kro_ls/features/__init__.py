"""What editors ask for: a folder for each group of LSP's features, each feature a function of a cursor or a document.

The groups do not know each other; what several of them need is in `documentation`, `previews`, `diagnostics` and
`convert`.
"""
