"""References: what stands for a value of the spec, a resource or a loop's variable while a composition runs.

For a type checker `spec.image` is a `str`; when the program runs it is a `Reference`, and operators on it build CEL.
"""

from __future__ import annotations

from typing import Any, NoReturn

from kro_ls.authoring.compositions.built_cel import Built, as_text, binary, divided, field_of, item_of, logical, unary
from kro_ls.authoring.compositions.marked_text import mark
from kro_ls.authoring.compositions.problems import NotInCelError
from kro_ls.authoring.python_fields import schema_field

_SLOT = "_kro_built"


class Reference:
    """A value that is known when kro runs. Its attributes are the fields of the value."""

    __slots__ = (_SLOT,)

    def __init__(self, built: Built) -> None:
        object.__setattr__(self, _SLOT, built)

    def __getattr__(self, name: str) -> Reference:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Reference(field_of(_built(self), schema_field(name)))

    def __setattr__(self, name: str, value: object) -> None:
        raise NotInCelError(f"'{self!r}' cannot be changed: give '{name}' where the resource is made")

    def __getitem__(self, key: Any) -> Reference:
        if isinstance(key, slice):
            raise NotInCelError("slices are not in CEL; write cel.slice(...) for lists, cel.substring(...) for texts")
        return Reference(item_of(_built(self), key))

    # Operators

    def __add__(self, other: Any) -> Reference:
        return Reference(binary("+", self, other))

    def __radd__(self, other: Any) -> Reference:
        return Reference(binary("+", other, self))

    def __sub__(self, other: Any) -> Reference:
        return Reference(binary("-", self, other))

    def __rsub__(self, other: Any) -> Reference:
        return Reference(binary("-", other, self))

    def __mul__(self, other: Any) -> Reference:
        return Reference(binary("*", self, other))

    def __rmul__(self, other: Any) -> Reference:
        return Reference(binary("*", other, self))

    def __truediv__(self, other: Any) -> Reference:
        return Reference(divided(self, other))

    def __rtruediv__(self, other: Any) -> Reference:
        return Reference(divided(other, self))

    def __floordiv__(self, other: Any) -> Reference:
        return Reference(binary("/", self, other))

    def __rfloordiv__(self, other: Any) -> Reference:
        return Reference(binary("/", other, self))

    def __mod__(self, other: Any) -> Reference:
        return Reference(binary("%", self, other))

    def __rmod__(self, other: Any) -> Reference:
        return Reference(binary("%", other, self))

    def __eq__(self, other: object) -> Reference:  # type: ignore[override]  # as a value that kro compares
        return Reference(binary("==", self, other))

    def __ne__(self, other: object) -> Reference:  # type: ignore[override]
        return Reference(binary("!=", self, other))

    def __lt__(self, other: Any) -> Reference:
        return Reference(binary("<", self, other))

    def __le__(self, other: Any) -> Reference:
        return Reference(binary("<=", self, other))

    def __gt__(self, other: Any) -> Reference:
        return Reference(binary(">", self, other))

    def __ge__(self, other: Any) -> Reference:
        return Reference(binary(">=", self, other))

    def __and__(self, other: Any) -> Any:
        return wrapped(logical("&&", self, other))

    def __rand__(self, other: Any) -> Any:
        return wrapped(logical("&&", other, self))

    def __or__(self, other: Any) -> Any:
        return wrapped(logical("||", self, other))

    def __ror__(self, other: Any) -> Any:
        return wrapped(logical("||", other, self))

    def __invert__(self) -> Reference:
        return Reference(unary("!", _built(self)))

    def __neg__(self) -> Reference:
        return Reference(unary("-", _built(self)))

    def __hash__(self) -> int:
        return id(self)

    # Texts

    def __format__(self, specification: str) -> str:
        if specification:
            raise NotInCelError(f"':{specification}' is not in CEL; write cel.format(...)")
        return str(self)

    def __str__(self) -> str:
        return mark(as_text(_built(self)))

    def __repr__(self) -> str:
        return f"${{{_built(self).cel.text}}}"

    # What CEL does not have

    def __bool__(self) -> NoReturn:
        raise NotInCelError(
            f"'{_built(self).cel.text}' is known only when kro runs, so Python cannot decide by it: instead of "
            "if and a conditional expression write when(...).then(...).otherwise(...), or include_when=[...] for a "
            "resource; instead of 'and', 'or', 'not' write '&', '|', '~' with parentheses around comparisons"
        )

    def __len__(self) -> NoReturn:
        raise _not_in_cel(self, "len(x)", "cel.size(x)")

    def __iter__(self) -> NoReturn:
        raise _not_in_cel(self, "for each in x", "for each in each(x) in a comprehension, or for_each=[each(x)]")

    def __contains__(self, item: object) -> NoReturn:
        raise NotInCelError("'in' is CEL in the function with @composition alone; here write cel.contains(x, item)")

    def __int__(self) -> NoReturn:
        raise _not_in_cel(self, "int(x)", "cel.int(x)")

    def __index__(self) -> NoReturn:
        raise _not_in_cel(self, "an index of Python", "cel.int(x), and index a reference or each(...)")

    def __float__(self) -> NoReturn:
        raise _not_in_cel(self, "float(x)", "cel.double(x)")

    def __call__(self, *_: object, **__: object) -> NoReturn:  # noqa: D102
        raise NotInCelError(f"'{_built(self).cel.text}' is a value, no function; functions are in 'cel': cel.size(x)")

    __round__ = __abs__ = __pow__ = __rpow__ = __call__


def _not_in_cel(reference: Reference, python: str, instead: str) -> NotInCelError:
    text = _built(reference).cel.text
    return NotInCelError(f"{python} is not in CEL, for '{text}' is known only when kro runs; write {instead}")


def _built(reference: Reference) -> Built:
    return reference._kro_built  # type: ignore[return-value]  # noqa: SLF001 # the slot


def wrapped(value: Built | bool) -> Any:
    """Return what the user's program gets: a reference, or the constant that was left."""
    return Reference(value) if isinstance(value, Built) else value
