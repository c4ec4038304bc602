"""`range(a, b)` of the proposal KREP-2: the whole numbers from `a` up to and without `b`. kro never had it.

It is a macro, so that the function that it stands for, `lists.range`, is checked and run in its place. It is never
offered, and a rule refuses it where the dialect is not chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.library.macros import expand_map
from kro_ls.cel.syntax.ast import Operator
from kro_ls.cel.types.libraries import Library

if TYPE_CHECKING:
    from kro_ls.cel.syntax.ast import Call, Node
    from kro_ls.cel.syntax.macros import Expansion

RANGE = "range"


def expand_range(expansion: Expansion, call: Call) -> Node:
    """Turn `range(a, b)` into `lists.range(b - a).map(x, x + a)`."""
    first, end = call.arguments
    variable = expansion.identifier("@number")
    size = expansion.function(Operator.SUBTRACT, end, first)
    numbers = expansion.function("range", size, target=expansion.identifier("lists"))
    shifted = expansion.function(Operator.ADD, expansion.identifier("@number"), first)
    return expand_map(expansion, expansion.function("map", variable, shifted, target=numbers))


LIBRARY = Library(__name__, (), expanders={(RANGE, 2, False): expand_range})
