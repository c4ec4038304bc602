"""What `in` and comprehensions of a composition do: CEL where references take part, else what Python does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.authoring.compositions import cel_text
from kro_ls.authoring.compositions.built_cel import binary, build, built_of, called, field_of, unary
from kro_ls.authoring.compositions.cel_text import CelText
from kro_ls.authoring.compositions.composing import Built, is_marked
from kro_ls.authoring.compositions.looping import Each
from kro_ls.authoring.compositions.problems import NotInCelError
from kro_ls.authoring.compositions.reference import Reference, wrapped
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS
from kro_ls.cel.types.types import STRING, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_TESTS: Final = {"any": "exists", "all": "all"}


_FORMS: Final[dict[str, Callable[[Any], Any]]] = {
    "list": list,
    "generator": iter,
    "set": set,
    "dict": dict,
    "any": any,
    "all": all,
}


def contained(item: Any, container: Any) -> Any:
    """Return `item in container`."""
    if not (_is_known_later(item) or _is_known_later(container)):
        return item in container
    whole = built_of(container)
    if whole.type == STRING:
        return wrapped(called("contains", whole, [item]))
    if whole.type.kind is Kind.STRUCT and isinstance(item, str):
        field = field_of(whole, item)
        return Reference(build(cel_text.call("has", None, [field.cel]), field))
    return Reference(binary("in", item, whole))


def not_contained(item: Any, container: Any) -> Any:
    """Return `item not in container`."""
    found = contained(item, container)
    return Reference(unary("!", built_of(found))) if isinstance(found, Reference) else not found


def _is_known_later(value: Any) -> bool:
    """Whether a value is a reference, or has some in it."""
    if isinstance(value, str):
        return is_marked(value)
    if isinstance(value, list | tuple):
        return any(map(_is_known_later, value))
    return isinstance(value, Each | Reference) or hasattr(type(value), "_kro_built")


class _Item:
    """The variable of a loop, as the functions for the parts of a comprehension get it."""

    def __init__(self, each: Each[Any], names: tuple[str, ...]) -> None:
        source = each.source
        own = names[0] if names else each.name
        is_usable = not each.is_named and own not in RESERVED_WORDS and own not in source.composing.bindings
        self.name = own if is_usable else each.name
        source.composing.loops.setdefault(self.name, source.cel.text)
        self.built = each.variable(self.name)
        self.reference = Reference(self.built)

    def without(self, built: Built) -> Built:
        """Return what was built of the variable, outside of the loop."""
        rest = {name: type_ for name, type_ in built.variables.items() if name != self.name}
        return Built(built.cel, built.type, built.composing, rest, built.line)


def looped(
    form: str, items: Any, unpacked: int, element: Callable[..., Any], condition: Callable[..., tuple[Any, ...]] | None
) -> Any:
    """Return a comprehension: a `list`, `generator`, `set` or `dict`, or `joined` ones; or `any` or `all` of one.

    `unpacked` is how many variables each item is unpacked into, 0 where it is one.
    """
    if not isinstance(items, Each):
        return _by_python(form, items, unpacked, element, condition)
    if unpacked:
        raise NotInCelError("each(...) gives one item: write 'for key in each(x)', and x[key] for the value")
    item = _Item(items, element.__code__.co_varnames[:1])
    tests = [built_of(each) for each in condition(item.reference)] if condition else []
    kept: Built | None = None
    for test in tests:
        kept = test if kept is None else binary("&&", kept, test)
    made = element(item.reference)
    if form == "dict":
        return Reference(_map(items.source, item, kept, *made))
    if form.endswith("set"):
        raise NotInCelError("CEL has no sets; write a list, and cel.distinct(...) of it")
    if form in _TESTS:
        return Reference(_test(form, items.source, item, kept, built_of(made)))
    found = _list(items.source, item, kept, built_of(made))
    return wrapped(called("flatten", found, ()) if form.startswith("joined") else found)


def _list(source: Built, item: _Item, kept: Built | None, made: Built) -> Built:
    name = CelText(item.name)
    is_itself = made.cel == name
    if kept is None:
        return source if is_itself else _macro(item, "map", source, [name, made.cel], made)
    if is_itself:
        return _macro(item, "filter", source, [name, kept.cel], kept)
    return _macro(item, "map", source, [name, kept.cel, made.cel], kept, made)


def _test(form: str, source: Built, item: _Item, kept: Built | None, made: Built) -> Built:
    if kept is not None:
        made = binary("&&", kept, made) if form == "any" else binary("||", unary("!", kept), made)
    return _macro(item, _TESTS[form], source, [CelText(item.name), made.cel], made)


def _map(source: Built, item: _Item, kept: Built | None, key: Any, value: Any) -> Built:
    own, made = built_of(key), built_of(value)
    name, tests = CelText(item.name), [kept] if kept else []
    conditions = [each.cel for each in tests]
    if source.type.kind is Kind.MAP:
        other = CelText(_another(item.name))
        if own.cel == name:
            return _macro(item, "transformMap", source, [name, other, *conditions, made.cel], *tests, made)
        variables = [name, other]
    else:
        variables = [CelText(_another(item.name)), name]
    entry = cel_text.map_literal([(own.cel, made.cel)])
    return _macro(item, "transformMapEntry", source, [*variables, *conditions, entry], *tests, own, made)


def _another(name: str) -> str:
    return "i" if name != "i" else "j"


def _macro(item: _Item, macro: str, source: Built, arguments: list[CelText], *operands: Built) -> Built:
    outside = [item.without(each) for each in operands]
    return build(cel_text.call(macro, source.cel, arguments), source, *outside)


def summarised(name: str, function: Callable[[Any], Any], values: Any) -> Any:
    """Return `sum`, `min` or `max` of a comprehension."""
    return wrapped(called(name, values, ())) if isinstance(values, Reference) else function(values)


def _by_python(
    form: str,
    items: Iterable[Any],
    unpacked: int,
    element: Callable[..., Any],
    condition: Callable[..., tuple[Any, ...]] | None,
) -> Any:
    def made() -> Iterable[Any]:
        for item in items:
            given = tuple(item) if unpacked else (item,)
            if condition is None or all(condition(*given)):
                yield element(*given)

    if form.startswith("joined"):
        return _joined(form.removeprefix("joined "), list(made()))
    return _FORMS[form](made())


def _joined(form: str, parts: list[Any]) -> Any:
    if any(isinstance(each, Reference) for each in parts):
        return sum(parts[1:], parts[0])
    values = (value for part in parts for value in part)
    return _FORMS[form](values)
