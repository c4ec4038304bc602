"""Local variables (cel-go `ext/bindings.go`)."""

from __future__ import annotations

from kro_ls.cel.library import macros
from kro_ls.cel.types.declarations import Documentation, Library, MacroDeclaration

BIND = MacroDeclaration(
    "bind",
    "cel",
    (("x", "value", "expression"),),
    Documentation(
        "Names a value: the result is `expression`, in which `x` stands for `value`.",
        "cel.bind(x, 'a' + 'b', x + x) == 'abab'",
    ),
    macros.expand_bind,
)

MACROS = (BIND,)

LIBRARY = Library(__name__, macros=MACROS)
