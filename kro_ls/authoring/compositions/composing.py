"""A composition while its function runs: the names so far, the resources in order, and texts with expressions.

In a text, a mark stands for each expression while Python formats the text.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from kro_ls.analysis.types.variables import environment_of, roots_of
from kro_ls.authoring.compositions.problems import CompositionError, NotInCelError
from kro_ls.authoring.from_manifests.template_text import escaped
from kro_ls.kro.identifiers import is_resource_id, to_lower_camel_case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kro_ls.analysis.types.variables import Binding
    from kro_ls.authoring.compositions.cel_text import CelText
    from kro_ls.authoring.compositions.python_lines import PythonLine
    from kro_ls.cel.types.declarations import Environment
    from kro_ls.cel.types.types import Type
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.yaml_positions.positions import Path


_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")


Explained: TypeAlias = "Callable[[Composing, str, Iterable[str]], str]"
"""Explains an expression that reads some variables of loops."""


class Declared(Struct):
    """A resource as the definition has it: JSON with `${...}`. `lines` maps paths to lines of Python."""

    id: str
    form: str
    object: dict[str, JsonValue]
    lines: dict[Path, PythonLine]
    line: PythonLine | None
    for_each: tuple[tuple[str, str], ...] = ()
    """The variables of its loops, each with the CEL of what it runs over."""
    include_when: tuple[str, ...] = ()
    ready_when: tuple[str, ...] = ()


class Composing:
    """The state of a running composition.

    `kinds` are the kinds that it can use, `schema` is its `spec.schema`; `bindings` are what its names mean.
    `explained` returns the first error of the rules in an expression, empty where there is none.
    """

    def __init__(
        self, name: str, kinds: SchemaIndex, schema: JsonObject, instance: Binding, explained: Explained
    ) -> None:
        self.name = name
        self.explained = explained
        self.schema = schema
        self.kinds = kinds
        self.bindings: dict[str, Binding] = {"schema": instance}
        self.resources: list[Declared] = []
        self.marked: list[Built] = []
        """The expressions that stand in texts as marks, by their numbers."""
        self.loops: dict[str, str] = {}
        """The variables of loops, and the CEL of what each runs over."""
        self.uses: list[Any] = []
        """The compositions whose kinds it has instances of, for the one that runs them."""
        self._environment: Environment | None = None

    @property
    def environment(self) -> Environment:
        """What the names mean so far, for the checker."""
        if self._environment is None:
            self._environment = environment_of(self.bindings.items(), roots_of(self.bindings.values()))
        return self._environment

    def bind(self, name: str, binding: Binding) -> None:
        """Bind a name."""
        self.bindings[name] = binding
        self._environment = None

    def declare(self, resource: Declared, binding: Binding) -> None:
        """Add a resource. Raises CompositionError where another one has its id."""
        if resource.id in self.bindings:
            raise CompositionError(f"two resources have the id '{resource.id}'; give one another id=")
        self.resources.append(resource)
        self.bind(resource.id, binding)

    def use(self, composition: object) -> None:
        """Record that it has an instance of another composition."""
        if composition not in self.uses:
            self.uses.append(composition)

    def free_id(self, kind: str, object_name: str) -> str:
        """Return an id for a resource: its kind, else with the words of its object's name, else with a number."""
        base = camel_case(kind)
        named = f"{base}{camel_case(object_name, is_upper=True)}"
        numbered = (f"{base}{number}" for number in range(2, 10_000))
        return next(each for each in (base, named, *numbered) if is_resource_id(each) and self.is_free(each))

    def is_free(self, name: str) -> bool:
        """Whether a name is unused so far."""
        return name not in self.bindings and name not in self.loops


class Built(Struct, frozen=True, eq=False):
    """A piece of CEL with its type, the composition that it belongs to, and the line of Python that made it.

    `variables` are the variables of loops that it reads, with their types.
    """

    cel: CelText
    type: Type
    composing: Composing
    variables: Mapping[str, Type] = {}
    line: PythonLine | None = None
    is_constant: bool = False
    """Whether it reads only constants."""


def camel_case(name: str, *, is_upper: bool = False) -> str:
    """Return the words of a name in camel case: `HTTPRoute` is `httpRoute`."""
    joined = to_lower_camel_case("-".join(each.lower() for each in _WORDS.findall(name))) or ""
    return joined[:1].upper() + joined[1:] if is_upper else joined


_current: ContextVar[Composing | None] = ContextVar("composing", default=None)


@contextmanager
def running(composing: Composing) -> Iterator[None]:
    """Make a composition the running one."""
    token = _current.set(composing)
    try:
        yield
    finally:
        _current.reset(token)


def composing_now() -> Composing:
    """Return the composition that runs. Raises CompositionError where none does."""
    found = _current.get()
    if found is None:
        raise CompositionError("this belongs into a function with @composition, which is not running here")
    return found


_BEGIN, _END = "\ue000", "\ue001"
_MARK: Final = re.compile(f"{_BEGIN}Kr(\\d+)O{_END}")
"""It has letters of both cases: a mark in a text that was changed, by `.upper()` for example, is not recognised."""


def mark(expression: Built) -> str:
    """Return the mark of an expression."""
    marked = composing_now().marked
    marked.append(expression)
    return f"{_BEGIN}Kr{len(marked) - 1}O{_END}"


def is_marked(text: str) -> bool:
    """Whether there is an expression in a text."""
    return _BEGIN in text or _END in text


def parts(text: str) -> Iterator[str | Built]:
    """Yield the literal parts of a text and the expressions between them. Raises NotInCelError for damaged marks."""
    marked = composing_now().marked
    for number, part in enumerate(_MARK.split(text)):
        if number % 2 and int(part) < len(marked):
            yield marked[int(part)]
        elif number % 2 or is_marked(part):
            raise NotInCelError(
                f"Python cannot change a text that has references in it ({readable(text)!r}); "
                "use functions of CEL on the references, such as cel.upperAscii(...)"
            )
        elif part:
            yield part


def template_text(text: str) -> str:
    """Return a text as a template holds it, with `${...}` for each expression."""
    if not is_marked(text):
        return escaped(text)
    return "".join(escaped(each) if isinstance(each, str) else f"${{{each.cel.text}}}" for each in parts(text))


def literal_words(text: str) -> str:
    """Return what is literal in a text."""
    return _MARK.sub("-", text)


def readable(text: str) -> str:
    """Return a text for people."""
    return re.sub(f"{_BEGIN}.*?{_END}", "${...}", text)
