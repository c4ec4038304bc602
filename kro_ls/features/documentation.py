"""Renders the documentation of CEL functions and macros as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel import ast
from kro_ls.cel.library import FUNCTIONS, MACROS

if TYPE_CHECKING:
    from kro_ls.cel.declarations import Documentation, FunctionDeclaration, MacroDeclaration


def describe_function(call: ast.Call) -> str | None:
    """Return the documentation of the function or macro that a call names, or None for an operator or unknown name."""
    name = full_name(call)
    if name in MACROS:
        return describe_macro(MACROS[name])
    declared = FUNCTIONS.get(name)
    if declared is None or declared.is_internal:
        return None
    return describe_declaration(declared)


def full_name(call: ast.Call) -> str:
    """Return the name that the call's function is declared under: `lists.range` for a namespaced function."""
    if isinstance(call.target, ast.Identifier) and f"{call.target.name}.{call.function}" in FUNCTIONS:
        return f"{call.target.name}.{call.function}"
    return call.function


def describe_declaration(function: FunctionDeclaration) -> str:
    """Return signatures and texts of a function, one section for each library that declares it."""
    sections = []
    for documentation in function.documentation:
        overloads = [each for each in function.overloads if each.documentation is documentation]
        signatures = "\n".join(overload.signature(function.name) for overload in overloads)
        sections.append(_section(signatures, documentation))
    return "\n\n---\n\n".join(sections)


def describe_macro(macro: MacroDeclaration) -> str:
    """Return forms and text of a macro."""
    receiver = f"{macro.receiver.replace(' ', '_')}." if macro.receiver else ""
    return _section("\n".join(f"{receiver}{form}" for form in macro.signatures()), macro.documentation)


def _section(signatures: str, documentation: Documentation) -> str:
    raises = f"\n\n{documentation.raises}" if documentation.raises else ""
    example = f"\n\nExample: `{documentation.example}`" if documentation.example else ""
    return f"```cel\n{signatures}\n```\n\n{documentation.text}{raises}{example}"
