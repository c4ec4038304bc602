"""The Common Expression Language: syntax, types, libraries of functions, evaluation.

It knows cel-go and the functions that Kubernetes adds, and nobody who uses them: an `Environment` is made of
`Libraries`, and whoever has functions, macros, variables or values of its own declares a `Library` in the same form.
"""
