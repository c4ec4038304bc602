"""The types of CEL's macros, whose bodies are functions of Python: the declarations have their names alone."""

from __future__ import annotations

from typing import Final

_LIST: Final = "items: list[_A]"
_MAP: Final = "items: Mapping[_K, _V]"
_PREDICATES: Final = tuple(
    f"({items}, predicate: Callable[[{variables}], bool], /) -> bool"
    for items, variables in ((_LIST, "_A"), (_MAP, "_K"), (_LIST, "int, _A"), (_MAP, "_K, _V"))
)
_FILTER: Final = "predicate: Callable[[{}], bool], "


def _transforms(variables: str, items: str, result: str, name: str = "transform", to: str = "_T") -> tuple[str, ...]:
    """The forms of a macro that makes something of each item, of all or of those that a predicate keeps."""
    transform = f"{name}: Callable[[{variables}], {to}], /) -> {result}"
    return f"({items}, {transform}", f"({items}, {_FILTER.format(variables)}{transform}"


MACRO_TYPES: Final = {
    "has": ("(field: Any, /) -> bool",),
    "all": _PREDICATES,
    "exists": _PREDICATES,
    "exists_one": _PREDICATES,
    "existsOne": _PREDICATES[2:],
    "map": (*_transforms("_A", _LIST, "list[_T]"), *_transforms("_K", _MAP, "list[_T]")),
    "filter": (
        f"({_LIST}, predicate: Callable[[_A], bool], /) -> list[_A]",
        f"({_MAP}, predicate: Callable[[_K], bool], /) -> list[_K]",
    ),
    "transformList": (*_transforms("int, _A", _LIST, "list[_T]"), *_transforms("_K, _V", _MAP, "list[_T]")),
    "transformMap": (*_transforms("int, _A", _LIST, "dict[int, _T]"), *_transforms("_K, _V", _MAP, "dict[_K, _T]")),
    "transformMapEntry": (
        *_transforms("int, _A", _LIST, "dict[_B, _T]", "entry", "Mapping[_B, _T]"),
        *_transforms("_K, _V", _MAP, "dict[_B, _T]", "entry", "Mapping[_B, _T]"),
    ),
    "sortBy": (f"({_LIST}, key: Callable[[_A], Any], /) -> list[_A]",),
    "bind": ("(value: _A, expression: Callable[[_A], _T], /) -> _T",),
    "optMap": ("(value: Optional[_A], expression: Callable[[_A], _T], /) -> Optional[_T]",),
    "optFlatMap": ("(value: Optional[_A], expression: Callable[[_A], Optional[_T]], /) -> Optional[_T]",),
}
"""The types of the macros, whose bodies are functions of Python: the declarations have their names alone."""
