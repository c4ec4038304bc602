"""The Common Expression Language: syntax, types, libraries of functions, evaluation.

It knows cel-go and the functions that Kubernetes adds, but none of its users: an `Environment` consists of `Libraries`,
and a user with functions, macros, variables or values of its own declares a `Library` in the same form.
"""
