"""Calls functions and macros of CEL: what `cel.size(x)` does while a composition runs."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kro_ls.authoring.cel.cel_members import MEMBERS, NAMESPACES, OVERLOADS, VARIABLES
from kro_ls.authoring.compositions import cel_text
from kro_ls.authoring.compositions.built_cel import build, built_of, called, mapping_of
from kro_ls.authoring.compositions.cel_text import CelText
from kro_ls.authoring.compositions.composing import Built, composing_now
from kro_ls.authoring.compositions.problems import CompositionError, NotInCelError
from kro_ls.authoring.compositions.reference import Reference, wrapped
from kro_ls.authoring.python_fields import schema_field
from kro_ls.cel.types.types import DYN, INT, STRING, Kind
from kro_ls.kro.environment import LIBRARIES, MACROS, parse
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kro_ls.cel.types.types import Type


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
    if not parsed.is_valid:
        raise CompositionError(f"'{text}': {parsed.errors[0].hint or parsed.errors[0].message}")
    return Reference(replace(build(cel_text.written(text), type_=DYN), is_constant=False))


class Member:
    """A function, a macro, or a namespace of them, by its path."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Member:
        if self._path not in NAMESPACES or name.startswith("__"):
            raise AttributeError(name)
        return member(f"{self._path}.{schema_field(name)}")

    def __dir__(self) -> Iterator[str]:
        yield from (path.removeprefix(f"{self._path}.") for path in MEMBERS if path.startswith(f"{self._path}."))

    def __repr__(self) -> str:
        return f"cel.{self._path}"

    def __call__(self, *given: Any) -> Any:
        """Return the call with some arguments, or the constant that it is. Raises CompositionError."""
        if self._path in OVERLOADS:
            return _function(self._path, given)
        if self._path in MACROS:
            return Reference(_macro(self._path, given))
        raise NotInCelError(f"cel.{self._path} is no function; it has {', '.join(sorted(dir(self)))}")


def member(path: str) -> Member:
    """Return a function, macro or namespace by its path. Raises AttributeError where kro's CEL has none."""
    if path in MEMBERS:
        return Member(path)
    meant = closest(path, MEMBERS)
    advice = f"; did you mean cel.{meant}?" if meant else ""
    raise AttributeError(f"kro's CEL has no function '{path}'{advice}")


def _function(path: str, given: Sequence[Any]) -> Any:
    overloads = OVERLOADS[path]
    namespace, _, name = path.rpartition(".")
    if namespace in VARIABLES.values():
        target = build(CelText(namespace))
        # An argument that a macro rewrites is a map with keys that are no texts yet.
        has_bare_keys = (name, len(given), True) in LIBRARIES.macro_set.expanders
        arguments = [(_bare_keys if has_bare_keys else built_of)(each) for each in given]
        text = cel_text.call(name, target.cel, [each.cel for each in arguments])
        return Reference(build(text, target, *arguments))
    counts = sorted({len(each.parameters) for each in overloads})
    if len(given) not in counts:
        takes = " or ".join(map(str, counts))
        raise NotInCelError(f"cel.{path} takes {takes} arguments, not {len(given)}: {overloads[0].signature(path)}")
    if given and _is_method(path, built_of(given[0]).type, len(given)):
        return call(path, given[0], given[1:])
    return call(path, None, given)


def _is_method(path: str, first: Type, count: int) -> bool:
    """Whether a call with so many arguments is that of a method of the first one."""
    fitting = [each for each in OVERLOADS[path] if len(each.parameters) == count]
    methods = [each for each in fitting if each.is_member]
    if len(methods) in (0, len(fitting)):
        return bool(methods)
    return any(each.parameters[0].kind is first.kind and each.parameters[0].name == first.name for each in methods)


def _bare_keys(value: Any) -> Built:
    """Return a map whose keys are written without quotes, like the arguments of a condition."""
    entries = {name: built_of(each) for name, each in mapping_of(value).items()}
    text = cel_text.map_literal((CelText(name), each.cel) for name, each in entries.items())
    return build(text, *entries.values(), type_=DYN)


def _macro(name: str, given: Sequence[Any]) -> Built:
    bodies = [each for each in given if _is_body(each)]
    values = [built_of(each) for each in given if not _is_body(each)]
    shown = f"cel.{name}({', '.join(['value', *(['lambda x: ...'] * bool(MACROS[name].receiver))])})"
    if len(values) != 1 or bool(bodies) != bool(MACROS[name].receiver):
        raise NotInCelError(f"cel.{name} takes a value, then functions of what is in it: {shown}")
    (value,) = values
    if not bodies:
        return build(cel_text.call(name, None, [value.cel]), value)
    variables = _variables(name, bodies, value)
    made = [_body(each, variables) for each in bodies]
    arguments = [CelText(each) for each in variables]
    if MACROS[name].receiver == "cel":
        text = cel_text.call(name, CelText("cel"), [*arguments, value.cel, *(each.cel for each in made)])
    else:
        text = cel_text.call(name, value.cel, [*arguments, *(each.cel for each in made)])
    return build(text, value, *made)


def _is_body(value: Any) -> bool:
    return callable(value) and not isinstance(value, Reference)


def _variables(name: str, bodies: Sequence[Callable[..., Any]], value: Built) -> dict[str, Type]:
    """Return the variables of a macro with their types; they have the names of the first function's arguments."""
    names = ["item"] if isinstance(bodies[0], Member) else list(inspect.signature(bodies[0]).parameters)
    names = [_free(each) for each in names]
    forms = {
        sum(len(each) == 1 for each in form)
        for form in MACROS[name].argument_names
        if sum(len(each) > 1 for each in form) - (MACROS[name].receiver == "cel") == len(bodies)
    }
    if len(names) not in forms or len(set(names)) < len(names):
        counts = " or ".join(map(str, sorted(forms))) or "no"
        raise NotInCelError(f"the function in cel.{name} takes {counts} arguments, one for each variable")
    return dict(zip(names, _types(name, value.type, len(names)), strict=True))


def _free(name: str) -> str:
    composing = composing_now()
    return next(each for each in (name, *(f"{name}{number}" for number in range(2, 1000))) if composing.is_free(each))


def _types(name: str, type_: Type, count: int) -> tuple[Type, ...]:
    if MACROS[name].receiver == "cel":
        return (type_,)
    if type_.kind is Kind.LIST:
        return (INT, type_.parameters[0])[-count:]
    if type_.kind is Kind.MAP:
        return type_.parameters[:count]
    if type_.is_optional:
        return type_.parameters
    if type_.kind is Kind.STRUCT:
        return (STRING, DYN)[:count]
    if not type_.is_dynamic:
        raise CompositionError(f"cel.{name} is for a {MACROS[name].receiver}, not for a {type_}")
    return (DYN,) * count


def _body(function: Callable[..., Any], variables: dict[str, Type]) -> Built:
    composing = composing_now()
    references = [Reference(Built(CelText(name), type_, composing, {name: type_})) for name, type_ in variables.items()]
    built = built_of(function(*references))
    return replace(built, variables={name: type_ for name, type_ in built.variables.items() if name not in variables})
