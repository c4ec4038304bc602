"""Calls of CEL's functions, and CEL as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kro_ls.authoring.compositions import cel_text
from kro_ls.authoring.compositions.built_cel import build, called
from kro_ls.authoring.compositions.problems import CompositionError
from kro_ls.authoring.compositions.reference import Reference, wrapped
from kro_ls.cel.types.types import DYN
from kro_ls.kro.environment import parse

if TYPE_CHECKING:
    from collections.abc import Iterable


def call(name: str, receiver: Any, arguments: Iterable[Any] = ()) -> Any:
    """Return the call of a function of CEL: `call("lowerAscii", spec.name)` is `schema.spec.name.lowerAscii()`.

    `receiver` is what stands before the dot, None for a function without one: `call("json.marshal", None, [x])`.
    Raises CompositionError where the checker refuses it.
    """
    return wrapped(called(name, receiver, arguments))


def expression(text: str) -> Any:
    """Return CEL that is written as text, of any type for what is built of it; the whole definition's check sees it.

    Raises CompositionError for what is no CEL.
    """
    parsed = parse(text)
    if parsed.errors:
        raise CompositionError(f"'{text}': {parsed.errors[0].hint or parsed.errors[0].message}")
    return Reference(replace(build(cel_text.written(text), type_=DYN), is_constant=False))
