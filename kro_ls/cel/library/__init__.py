"""The libraries that an environment can be assembled of: cel-go's and those that Kubernetes adds.

Each is one module that declares a `LIBRARY`, and what its functions do stands beside it in `<library>_functions.py`:
checking an expression imports no such module. The trees of macros are made in `macros.py`.
"""
