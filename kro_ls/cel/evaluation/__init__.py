"""The CEL evaluator: values, checked trees compiled to closures, and the calling of functions.

`program.compile_program` compiles a tree to a `Program`. The functions are implemented beside their declarations, in
`cel/library/` or wherever a library is declared.
"""
