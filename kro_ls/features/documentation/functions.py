"""Describes CEL functions and macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.kro.environment import FUNCTIONS, MACROS
from kro_ls.kro.versions.history import FUNCTIONS as FIRST

if TYPE_CHECKING:
    from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, MacroDeclaration, Overload


def describe_function(call: ast.Call, chosen: tuple[Overload, ...] = ()) -> str | None:
    """Return the documentation of the function or macro that a call names, or None for an operator or unknown name.

    The `chosen` overloads come first.
    """
    name = full_name(call)
    if name in MACROS and not chosen:
        return describe_macro(MACROS[name])
    declared = FUNCTIONS.get(name)
    if declared is None or declared.is_internal:
        return None
    return describe_declaration(declared, chosen)


def full_name(call: ast.Call) -> str:
    """Return the name that the call's function is declared under: `lists.range` for a namespaced function."""
    if isinstance(call.target, ast.Identifier) and f"{call.target.name}.{call.function}" in FUNCTIONS:
        return f"{call.target.name}.{call.function}"
    return call.function


def describe_declaration(function: FunctionDeclaration, chosen: tuple[Overload, ...] = ()) -> str:
    """Return signatures and texts of a function, one section for each library that declares it, the chosen first."""
    ordered = sorted(function.overloads, key=lambda overload: overload not in chosen)
    sections = []
    for documentation in dict.fromkeys(overload.documentation for overload in ordered):
        overloads = [each for each in ordered if each.documentation is documentation]
        signatures = "\n".join(overload.signature(function.name) for overload in overloads)
        sections.append(_section(signatures, documentation))
    return "\n\n---\n\n".join(sections) + _since(function.name)


def describe_macro(macro: MacroDeclaration) -> str:
    """Return forms and text of a macro."""
    return _section("\n".join(macro_signatures(macro)), macro.documentation) + _since(macro.name)


def _since(name: str) -> str:
    first = FIRST.get(name)
    return f"\n\nSince kro {first.release}." if first else ""


def macro_signatures(macro: MacroDeclaration) -> tuple[str, ...]:
    """Return the forms of a macro with what it is called on: `list_or_map.filter(x, predicate)`."""
    receiver = f"{macro.receiver.replace(' ', '_')}." if macro.receiver else ""
    return tuple(f"{receiver}{form}" for form in macro.signatures())


def describe_documentation(documentation: Documentation) -> str:
    """Return the text of a function or macro without its signatures."""
    raises = f"\n\n{documentation.raises}" if documentation.raises else ""
    example = f"\n\nExample: `{documentation.example}`" if documentation.example else ""
    return f"{documentation.text}{raises}{example}"


def _section(signatures: str, documentation: Documentation) -> str:
    return f"```cel\n{signatures}\n```\n\n{describe_documentation(documentation)}"
