"""The CEL evaluator: values, checked trees compiled to closures, and the calling of functions.

`program.compile_program` makes a `Program` of a tree; what the functions do stands beside their declarations in
`cel/library/`, or wherever else a library is declared.
"""
