"""What the functions of `cel/library/` do: for each of its modules one of the same name here.

A module's `IMPLEMENTATIONS` maps the id of each overload to a function of the arguments, the receiver first.
Those whose ids are in `BUDGETED` get the `Budget` before the arguments, because their cost is not in their result.
"""
