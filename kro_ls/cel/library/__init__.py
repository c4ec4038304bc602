"""The libraries that an environment can consist of: those of cel-go and those that Kubernetes adds.

A module declares one or more of them, and `<module>_functions.py` beside it implements their functions; checking an
expression imports no such module. `macros.py` expands the macros.
"""
