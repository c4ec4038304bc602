"""The functions and macros of kro's CEL as members of a Python module: their names and namespaces.

A function with a dot in its name is in a namespace, as are the methods of a variable that always exists
(`runtime.condition`). Any other method takes what stands before the dot as its first argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.kro.environment import FUNCTIONS, LIBRARIES, MACROS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.types.declarations import Overload

VARIABLES: Final = {type_: name for name, type_ in LIBRARIES.variables.items()}
"""The variables that are always there, by their types."""


def _overloads() -> Mapping[str, tuple[Overload, ...]]:
    found: dict[str, tuple[Overload, ...]] = {}
    for name, function in FUNCTIONS.items():
        for overload in () if function.is_internal else function.overloads:
            variable = VARIABLES.get(overload.receiver) if overload.receiver else None
            path = f"{variable}.{name}" if variable else name
            found[path] = (*found.get(path, ()), overload)
    return found


OVERLOADS: Final = _overloads()
"""The overloads of each function by its path: `size`, `json.marshal`, `runtime.condition`."""
NAMESPACES: Final = frozenset(path.rpartition(".")[0] for path in OVERLOADS) - {""}
"""What stands before the dot in a path."""
MEMBERS: Final = frozenset({*OVERLOADS, *MACROS, *NAMESPACES})
"""The paths of everything there is."""
