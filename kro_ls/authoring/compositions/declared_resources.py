"""Resources of a composition: objects that kro makes, and objects of others that it reads.

Their values become JSON in which `${...}` stands for references.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, TypedDict, TypeVar, overload

from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.types.variables import resource_binding
from kro_ls.authoring.compositions.built_cel import built_of, field_of, mapping_of
from kro_ls.authoring.compositions.cel_text import CelText
from kro_ls.authoring.compositions.composing import (
    Built,
    Declared,
    composing_now,
    is_marked,
    literal_words,
    parts,
    template_text,
)
from kro_ls.authoring.compositions.looping import Each
from kro_ls.authoring.compositions.problems import CompositionError, NotInCelError
from kro_ls.authoring.compositions.python_lines import PythonLine, call_lines, current_line
from kro_ls.authoring.compositions.reference import Reference
from kro_ls.authoring.python_fields import schema_field
from kro_ls.cel.types.types import BOOL, DYN, Kind
from kro_ls.kro.identifiers import is_resource_id
from kro_ls.openapi.cel_types import SchemaRoot

if TYPE_CHECKING:
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.yaml_positions.positions import Path


AnyKind = TypeVar("AnyKind", bound="ApiObject")
Condition: TypeAlias = "bool | int"
"""What holds or does not; `~` makes an `int` of a `bool` for a type checker."""
_WHICH_KIND: Final = 'say which kind: Resource("example.com/v1", "Widget", ...)'


class ResourceOptions(TypedDict, total=False):
    """What the constructor of every resource takes beside the fields of its object."""

    id: str
    """Its name in CEL; by default its kind, if need be with the name of the object or a number."""
    include_when: Sequence[Condition]
    for_each: Sequence[Each[Any]]
    ready_when: Sequence[Condition] | Callable[[Any], Condition | Sequence[Condition]]
    """Conditions, or a function of the object (of a collection: of each object) that returns some."""


class ApiObject:
    """An object of the API: one that kro makes, or one of others. Its attributes are its fields, to be read by others.

    Type checkers know the attributes of each kind from its stub.
    """

    kind_schema: ClassVar[KindSchema | None] = None
    """The kind, in a class that stands for one."""

    def __init__(self, **fields: Any) -> None:
        own = type(self).kind_schema
        if own is None:
            raise CompositionError(_WHICH_KIND)
        declare(self, own.name.api_version, own.name.kind, own, fields)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return _field(self, name)

    def __getitem__(self, key: Any) -> Any:
        return Reference(self._kro_built)[key]

    @property
    def _kro_built(self) -> Built:
        composing = composing_now()
        declared = self.__dict__["_kro_declared"]
        binding = composing.bindings.get(declared.id, DYN)
        type_ = binding.type or DYN if isinstance(binding, SchemaRoot) else binding
        return Built(CelText(declared.id), type_, self.__dict__["_kro_composing"], {}, current_line())


class Resource(ApiObject):
    """An object of any kind that kro makes: `Resource("example.com/v1", "Widget", metadata={...}, spec={...})`.

    Options of every resource: `id` is its name in CEL, `include_when` are conditions, `for_each` makes one object for
    each item, and `ready_when` are conditions or functions of the object that return some.
    """

    def __init__(self, api_version: str = "", kind: str = "", /, **fields: Any) -> None:
        if not api_version or not kind:
            raise CompositionError(_WHICH_KIND)
        declare(self, api_version, kind, composing_now().kinds.find_api_version(api_version, kind), fields)

    def __getattr__(self, name: str) -> Any:
        return _field(self, name)


def _field(resource: ApiObject, name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return Reference(field_of(resource._kro_built, schema_field(name)))  # noqa: SLF001


def declare(
    resource: ApiObject, api_version: str, kind: str, schema: KindSchema | None, fields: dict[str, Any]
) -> None:
    """Add a resource that kro makes to the composition that runs."""
    options = {name: fields.pop(name, ()) for name in ("include_when", "ready_when", "for_each")}
    id_ = fields.pop("id", None)
    loops = _listed(options["for_each"])
    for loop in loops:
        if not isinstance(loop, Each):
            raise CompositionError("for_each takes each(...): for_each=[each(spec.regions)]")
    sources = tuple((loop.name, loop.source.cel.text) for loop in loops)
    template: dict[str, JsonValue] = {"apiVersion": api_version, "kind": kind}
    lines = call_lines()
    for name, value in fields.items():
        plain = schema_field(name)
        template[plain] = template_value(value, (plain,), lines)
    named = _id(id_, kind, fields.get("metadata"))
    declared = Declared(named, "template", template, lines, current_line(), sources)
    type_ = ResourceType.COLLECTION if loops else ResourceType.RESOURCE
    _add(resource, declared, resource_binding(declared.id, type_, schema.schema if schema else None), options)


def _id(given: str | None, kind: str, metadata: Any) -> str:
    if given is None:
        name = metadata.get("name") if isinstance(metadata, Mapping) else getattr(metadata, "name", None)
        return composing_now().free_id(kind, literal_words(name) if isinstance(name, str) else "")
    if not is_resource_id(given):
        raise CompositionError(f"'{given}' is no id for a resource: a word such as 'webServer', no word of CEL or kro")
    return given


def _add(resource: ApiObject, declared: Declared, binding: Binding, options: Mapping[str, Any]) -> None:
    composing = composing_now()
    composing.declare(declared, binding)
    resource.__dict__.update(_kro_declared=declared, _kro_composing=composing)
    declared.include_when = tuple(condition(each) for each in _listed(options["include_when"]))
    declared.ready_when = tuple(_ready(resource, options["ready_when"]))


def _listed(conditions: Any) -> tuple[Any, ...]:
    return tuple(conditions) if isinstance(conditions, list | tuple) else (conditions,)


def _ready(resource: ApiObject, conditions: Any) -> Iterable[str]:
    for each in _listed(conditions):
        found = each(_itself(resource)) if callable(each) and not isinstance(each, Reference) else each
        yield from (condition(one) for one in _listed(found))


def _itself(resource: ApiObject) -> Any:
    """Return what a condition for readiness sees: the object, or one of a collection as `each`."""
    declared: Declared = resource.__dict__["_kro_declared"]
    if not declared.for_each:
        return resource
    built = resource._kro_built  # noqa: SLF001
    type_ = built.type.parameters[0] if built.type.kind is Kind.LIST else DYN
    return Reference(Built(CelText("each"), type_, built.composing, {"each": type_}, built.line))


@overload
def external(
    kind: type[AnyKind],
    /,
    *,
    name: str,
    namespace: str = "",
    id: str | None = None,
    include_when: Iterable[Condition] | Condition = (),
    ready_when: Any = (),
) -> AnyKind: ...
@overload
def external(
    kind: type[AnyKind],
    /,
    *,
    selector: Mapping[str, Any],
    namespace: str = "",
    id: str | None = None,
    include_when: Iterable[Condition] | Condition = (),
    ready_when: Any = (),
) -> list[AnyKind]: ...
@overload
def external(
    kind: str,
    kind_name: str,
    /,
    *,
    name: str = "",
    namespace: str = "",
    selector: Mapping[str, Any] | None = None,
    id: str | None = None,
    include_when: Iterable[Condition] | Condition = (),
    ready_when: Any = (),
) -> Any: ...
def external(
    kind: type[ApiObject] | str,
    kind_name: str = "",
    /,
    *,
    name: str = "",
    namespace: str = "",
    selector: Any = None,
    id: str | None = None,  # noqa: A002
    include_when: Iterable[Condition] | Condition = (),
    ready_when: Any = (),
) -> Any:
    """Return an object of others that a definition reads, by its name; with a `selector`, a list of such objects.

    `selector` is a mapping with `matchLabels` or `matchExpressions`. A kind without a class is given as two texts.
    """
    own = None if isinstance(kind, str) else kind.kind_schema
    api_version, named = (str(kind), kind_name) if own is None else (own.name.api_version, own.name.kind)
    schema = own or composing_now().kinds.find_api_version(api_version, named)
    metadata = {"name": name, "namespace": namespace, "selector": selector}
    given = {key: value for key, value in metadata.items() if not isinstance(value, str | None) or value}
    lines: dict[Path, PythonLine] = {}
    reference = {"apiVersion": api_version, "kind": named, "metadata": template_value(given, ("metadata",), lines)}
    resource = object.__new__(Resource if isinstance(kind, str) else kind)
    declared = Declared(_id(id, named, given), "externalRef", reference, lines, current_line())
    type_ = ResourceType.EXTERNAL_COLLECTION if selector is not None else ResourceType.EXTERNAL
    binding = resource_binding(declared.id, type_, schema.schema if schema else None)
    _add(resource, declared, binding, {"include_when": include_when, "ready_when": ready_when})
    return resource


def template_value(value: Any, path: Path, lines: dict[Path, PythonLine]) -> JsonValue:
    """Return a value as JSON, and note the lines of its expressions. Raises NotInCelError for what JSON lacks."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, str):
        _note(value, path, lines)
        return template_text(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [template_value(each, (*path, number), lines) for number, each in enumerate(value)]
    built = getattr(value, "_kro_built", None)
    if isinstance(built, Built):
        if built.line:
            lines[path] = built.line
        return f"${{{built.cel.text}}}"
    found: dict[str, JsonValue] = {}
    for key, each in mapping_of(value).items():
        if not isinstance(key, str) or is_marked(key):
            raise CompositionError(f"{key!r} is a key: kro replaces no expressions in keys; give the whole map as CEL")
        found[key] = template_value(each, (*path, key), lines)
    return found


def _note(text: str, path: Path, lines: dict[Path, PythonLine]) -> None:
    if is_marked(text):
        first = next((each.line for each in parts(text) if isinstance(each, Built) and each.line), None)
        if first:
            lines[path] = first


def condition(value: Any) -> str:
    """Return a condition as its own expression. Raises CompositionError for what is no condition."""
    if isinstance(value, str):
        raise CompositionError(f"{value!r} is a text; a condition is a reference, or cel.expression({value!r})")
    built = built_of(value)
    if not (built.type == BOOL or built.type.is_dynamic):
        raise NotInCelError(f"'{built.cel.text}' is no condition: it is of type {built.type}, not bool")
    return f"${{{built.cel.text}}}"
