"""References: what stands for a value of the spec, a resource or a loop's variable while a composition runs.

For a type checker `spec.image` is a `str`; when the program runs it is a `Reference`, and operators on it build CEL.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from kro_ls.authoring.compositions.built_cel import as_text, binary, divided, field_of, item_of, logical, unary
from kro_ls.authoring.compositions.composing import Built, mark
from kro_ls.authoring.compositions.problems import NotInCelError
from kro_ls.authoring.python_fields import schema_field

if TYPE_CHECKING:
    from collections.abc import Callable

    _Method: TypeAlias = Callable[["Reference", Any], Any]

_SLOT = "_kro_built"


def _operator(sign: str) -> _Method:
    return lambda self, other: Reference(binary(sign, self, other))


def _both(sign: str, build: Callable[[Any, Any], Built | bool] | None = None) -> tuple[_Method, _Method]:
    """Return the methods of an operator with a reference on its left, and on its right."""
    made = build or partial(binary, sign)
    return (lambda self, other: wrapped(made(self, other))), (lambda self, other: wrapped(made(other, self)))


class Reference:
    """A value that exists only when kro runs. Its attributes are the fields of the value."""

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

    __add__, __radd__ = _both("+")
    __sub__, __rsub__ = _both("-")
    __mul__, __rmul__ = _both("*")
    __truediv__, __rtruediv__ = _both("/", divided)
    __floordiv__, __rfloordiv__ = _both("/")
    __mod__, __rmod__ = _both("%")
    __and__, __rand__ = _both("&&", partial(logical, "&&"))
    __or__, __ror__ = _both("||", partial(logical, "||"))
    __eq__, __ne__ = _operator("=="), _operator("!=")  # as values that kro compares
    __lt__, __le__, __gt__, __ge__ = map(_operator, ("<", "<=", ">", ">="))

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
