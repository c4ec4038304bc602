"""Local variables (cel-go `ext/bindings.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, MacroDeclaration

FUNCTIONS: tuple[FunctionDeclaration, ...] = ()

MACROS = (
    MacroDeclaration(
        "bind",
        "cel",
        (("x", "value", "expression"),),
        Documentation(
            "bindings",
            "Names a value: the result is `expression`, in which `x` stands for `value`.",
            "cel.bind(x, 'a' + 'b', x + x) == 'abab'",
        ),
        variables=1,
    ),
)
