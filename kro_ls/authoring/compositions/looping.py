"""`each(...)`: what runs over a list, a map or a collection, as a dimension of `for_each` or in a comprehension."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, TypeVar, cast, overload

from kro_ls.analysis.types.variables import element_type
from kro_ls.authoring.compositions.built_cel import built_of
from kro_ls.authoring.compositions.cel_text import CelText
from kro_ls.authoring.compositions.composing import Built, composing_now
from kro_ls.authoring.compositions.problems import CompositionError, NotInCelError
from kro_ls.authoring.compositions.reference import Reference
from kro_ls.cel.types.types import Kind
from kro_ls.kro.identifiers import is_resource_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

T = TypeVar("T")
_LAST_NAME: Final = re.compile(r"([A-Za-z][A-Za-z0-9]*)\W*$")


class Each(Generic[T]):
    """Each item of a list, or each key of a map; `name` is the variable's name in CEL."""

    def __init__(self, source: Built, name: str, *, is_named: bool = False) -> None:
        self.source = source
        self.name = name
        self.is_named = is_named
        """Whether the author chose the name."""

    @property
    def item(self) -> T:
        """The item, for a resource with `for_each=[...]`."""
        return cast("T", Reference(self.variable(self.name)))

    def variable(self, name: str) -> Built:
        """Return the item as a variable of some name."""
        source = self.source
        type_ = source.type.parameters[0] if source.type.kind is Kind.MAP else element_type(source.type)
        return Built(CelText(name), type_, source.composing, {**source.variables, name: type_}, source.line)

    def __iter__(self) -> Iterator[T]:
        raise NotInCelError(
            "a comprehension over each(...) builds CEL in the function with @composition alone, and a statement "
            "'for' never does; for one resource per item give for_each=[each(...)]"
        )

    def __len__(self) -> NoReturn:
        raise NotInCelError("len(each(x)) is not in CEL; write cel.size(x)")

    @property
    def _kro_built(self) -> Built:
        raise NotInCelError("each(...) is no value by itself; write each(...).item, or a comprehension over it")


@overload
def each(source: Mapping[T, Any], *, name: str | None = None) -> Each[T]: ...
@overload
def each(source: Iterable[T], *, name: str | None = None) -> Each[T]: ...
@overload
def each(source: T, *, name: str | None = None) -> Each[T]: ...
def each(source: Any, *, name: str | None = None) -> Each[Any]:
    """Return each item of a list, each key of a map, or each object of a collection.

    `name` is the variable's name in CEL. Raises CompositionError for an invalid name.
    """
    built = built_of(source)
    if built.type.kind not in (Kind.LIST, Kind.MAP, Kind.DYN):
        raise CompositionError(f"'{built.cel.text}' is no list: each(...) runs over lists, maps and collections")
    composing = composing_now()
    is_named = name is not None
    if name is None:
        name = next(each for each in _names(built.cel.text) if composing.is_free(each))
    elif not is_resource_id(name):
        raise CompositionError(f"a variable cannot be called '{name}'; give a word that begins with a small letter")
    composing.loops[name] = built.cel.text
    return Each(built, name, is_named=is_named)


def _names(code: str) -> Iterator[str]:
    found = _LAST_NAME.search(code)
    plural = found[1][0].lower() + found[1][1:] if found else ""
    one = plural.removesuffix("s")
    if one != plural and is_resource_id(one):
        yield one
    base = one if is_resource_id(one) else "entry"
    if base == "entry":
        yield base
    yield from (f"{base}{number}" for number in range(1, 10_000))
