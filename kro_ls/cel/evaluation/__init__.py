"""The CEL evaluator: values, checked trees compiled to closures, and what the functions of `cel/library/` do.

`program.compile_program` makes a `Program` of a tree, `conversion.to_json` turns its value into plain JSON data.
"""
