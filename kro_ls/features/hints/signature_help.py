"""Shows the signatures of the function or macro whose arguments are being typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.lexer import tokenize
from kro_ls.cel.types.types import checker_name
from kro_ls.cursor.typed_expression import declared_function, fitting_overloads, typed_expression
from kro_ls.features.documentation.functions import describe_documentation, full_name, macro_signatures
from kro_ls.kro.environment import MACROS

if TYPE_CHECKING:
    from kro_ls.cel.types.declarations import FunctionDeclaration, MacroDeclaration, Overload
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.typed_expression import TypedExpression

_CLOSING = {")": "(", "]": "[", "}": "{"}


class _OpenCall(Struct, frozen=True):
    """A call whose `(` is not closed yet, and the 0-based number of the argument at the end of the text."""

    call: ast.Call
    argument: int


def signature_help(cursor: Cursor, *, label_offsets: bool) -> types.SignatureHelp | None:
    """Return the forms of the innermost call around the cursor, the first that fits its arguments as the active one.

    Parameters are offsets in the signature where the client takes `label_offsets`, else their texts.
    """
    expression = cursor.open_expression
    if expression is None:
        return None
    typed = expression.typed
    if expression.quote:  # a string that is being typed stands for the argument that it is
        typed = typed_expression(expression.owner, expression.place, f"{expression.text}''")
    for found in _open_calls(typed):
        answer = _help(typed, found)
        if answer:
            return answer if label_offsets else _with_texts(answer)
    return None


def _open_calls(typed: TypedExpression) -> list[_OpenCall]:
    """Return the calls that are open at the end of the text, the innermost first."""
    named = (node for node in ast.walk(typed.root) if isinstance(node, ast.Call) and node.function.isidentifier())
    calls = {node.position: node for node in named}
    opened: list[tuple[str, int, int]] = []
    tokens = tokenize(typed.text)
    for kind, start in zip(tokens.kinds, tokens.starts, strict=True):
        if kind in _CLOSING.values():
            opened.append((kind, start, 0))
        elif kind in _CLOSING and opened and opened[-1][0] == _CLOSING[kind]:
            opened.pop()
        elif kind == "," and opened:
            opened[-1] = (*opened[-1][:2], opened[-1][2] + 1)
    return [
        _OpenCall(calls[start], commas) for kind, start, commas in reversed(opened) if kind == "(" and start in calls
    ]


def _help(typed: TypedExpression, found: _OpenCall) -> types.SignatureHelp | None:
    macro = MACROS.get(full_name(found.call))
    if macro and bool(macro.receiver) is (found.call.target is not None):
        return _macro_help(macro, found)
    function = declared_function(typed, found.call)
    return _function_help(typed, function, found) if function else None


def _macro_help(macro: MacroDeclaration, found: _OpenCall) -> types.SignatureHelp:
    forms = zip(macro_signatures(macro), macro.argument_names, strict=True)
    documentation = describe_documentation(macro.documentation)
    signatures = [_signature(label, names, documentation) for label, names in forms]
    written = max(found.argument + 1, len(found.call.arguments))
    fitting = (number for number, names in enumerate(macro.argument_names) if len(names) >= written)
    return types.SignatureHelp(signatures, next(fitting, len(signatures) - 1), found.argument)


def _function_help(
    typed: TypedExpression, function: FunctionDeclaration, found: _OpenCall
) -> types.SignatureHelp | None:
    is_method = found.call.target is not None and "." not in function.name
    receiver = [typed.type_of(found.call.target)] if found.call.target is not None and is_method else []
    taking = [overload for overload, _ in fitting_overloads(typed, found.call, function, 0)] if receiver else []
    overloads = taking or [overload for overload in function.overloads if overload.is_member is is_method]
    if not overloads:
        return None
    return types.SignatureHelp(
        [_overload_signature(function, overload) for overload in overloads],
        _active(typed, function, found, overloads),
        found.argument,
    )


def _active(typed: TypedExpression, function: FunctionDeclaration, found: _OpenCall, overloads: list[Overload]) -> int:
    """Return the number of the first overload that takes what is written, or else what is written before the cursor."""
    for position in (len(found.call.arguments), found.argument):
        fitting = [overload for overload, _ in fitting_overloads(typed, found.call, function, position)]
        for number, overload in enumerate(overloads):
            if overload in fitting and len(overload.arguments) > found.argument:
                return number
    return next((number for number, each in enumerate(overloads) if len(each.arguments) > found.argument), 0)


def _overload_signature(function: FunctionDeclaration, overload: Overload) -> types.SignatureInformation:
    parameters = tuple(f"{name}: {checker_name(type_)}" for name, type_ in overload.arguments)
    return _signature(overload.signature(function.name), parameters, describe_documentation(overload.documentation))


def _signature(label: str, parameters: tuple[str, ...], documentation: str) -> types.SignatureInformation:
    """Return a signature; its parameters are marked by offsets, which are code units and code points alike in ASCII."""
    start = label.rindex(", ".join(parameters))
    marked = []
    for parameter in parameters:
        marked.append(types.ParameterInformation((start, start + len(parameter))))
        start += len(parameter) + len(", ")
    markup = types.MarkupContent(types.MarkupKind.Markdown, documentation)
    return types.SignatureInformation(label, documentation=markup, parameters=marked)


def _with_texts(answer: types.SignatureHelp) -> types.SignatureHelp:
    for signature in answer.signatures:
        for parameter in signature.parameters or ():
            if not isinstance(parameter.label, str):
                parameter.label = signature.label[slice(*parameter.label)]
    return answer
