"""`@composition`: a typed function that becomes a definition."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, get_type_hints, overload

from kro_ls.authoring.compositions.built_cel import field_of, mapping_of
from kro_ls.authoring.compositions.cel_text import CelText
from kro_ls.authoring.compositions.composing import Built, Composing, composing_now, running
from kro_ls.authoring.compositions.declared_resources import Resource, declare, template_value
from kro_ls.authoring.compositions.definition_text import (
    Declaration,
    DefinitionText,
    definition_text,
    instance_of,
    kind_schema_of,
    schema_value,
)
from kro_ls.authoring.compositions.problems import CompositionError
from kro_ls.authoring.compositions.python_lines import PythonLine
from kro_ls.authoring.compositions.reference import Reference
from kro_ls.authoring.compositions.rewriting import rewritten
from kro_ls.authoring.compositions.spec_fields import SpecFields, spec_fields
from kro_ls.authoring.known_kinds import known_kinds
from kro_ls.cel.types.types import DYN
from kro_ls.kro.forms import DEFAULT_GROUP
from kro_ls.kro.identifiers import is_kind, is_version
from kro_ls.openapi.cel_types import SchemaRoot
from kro_ls.runtime.values.names import kebab_case
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from types import ModuleType

    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.diagnostics import Diagnostic

S = TypeVar("S")
T = TypeVar("T")
Json = Mapping[str, Any]
_NOTHING: Json = MappingProxyType({})


class ObjectMeta:
    """The metadata of an instance, as `schema.metadata` has it: what the second parameter of a composition is."""

    name: str
    namespace: str
    uid: str
    generation: int
    resourceVersion: str  # noqa: N815 # Kubernetes' own names
    creationTimestamp: str  # noqa: N815
    labels: dict[str, str]
    annotations: dict[str, str]


class Instance(Resource, Generic[T]):
    """An instance of another composition among the resources of one."""

    status: T

    def __init__(self, composition: Composition[Any, T], /, **fields: Any) -> None:
        schema = composition.kind_schema
        declare(self, schema.name.api_version, schema.name.kind, schema, fields)
        composing_now().use(composition)


class Composition(Generic[S, T]):
    """A definition as a function of its spec; it runs once, when its definition is first needed."""

    def __init__(self, function: Callable[..., Any], declaration: Declaration, names: Json) -> None:
        self.function = function
        self.declaration = declaration
        self._names = names
        self._is_running = False
        self.__doc__ = function.__doc__

    @property
    def kind(self) -> str:
        """The kind that it declares."""
        return self.declaration.kind

    @property
    def name(self) -> str:
        """The name of the definition."""
        return self.declaration.name

    def __call__(self, spec: S, *, metadata: Any = None, **options: Any) -> Instance[T]:
        """Return an instance of this kind as a resource of the composition that runs; its `status` can be read.

        `metadata` has at least a name; `options` are those of every resource.
        """
        return Instance(self, metadata=metadata, spec=_given(spec), **options)

    def to_yaml(self, relative_to: str | None = None) -> str:
        """Return the definition as YAML, with a last line that maps its lines to those of the Python program.

        The paths in it are relative to a folder, the working one by default. Raises CompositionError.
        """
        return self.definition.text(relative_to)

    @cached_property
    def definition(self) -> DefinitionText:
        """The definition that the function builds. Raises CompositionError."""
        if self._is_running:
            raise CompositionError(f"{self.kind} uses itself; compositions must not use each other in a circle")
        self._is_running = True
        try:
            return self._built()
        finally:
            self._is_running = False

    @cached_property
    def kind_schema(self) -> KindSchema:
        """The kind that kro makes of the definition."""
        return kind_schema_of(self.declaration.api_version, self.kind, self.texts())

    def check(self) -> tuple[Diagnostic, ...]:
        """Return what `kro-ls check` reports about the definition, without hints; each names the line of Python.

        Raises CompositionError.
        """
        from kro_ls.authoring.compositions.explaining import check_text  # which loads the rules

        return check_text(f"{self.name}.yaml", Text(self.to_yaml()), self.texts())

    def texts(self) -> dict[str, str]:
        """Return the texts of the definition and of all that it uses, by their names."""
        used = (each.texts() for each in self.definition.uses)
        return {name: text for texts in used for name, text in texts.items()} | {self.name: self.to_yaml()}

    @cached_property
    def _fields(self) -> SpecFields:
        hints = get_type_hints(self.function, localns=dict(self._names), include_extras=True)
        parameters = [*inspect.signature(self.function).parameters]
        type_ = hints.get(parameters[0]) if parameters else None
        return SpecFields({}, {}) if type_ in (None, Any) else spec_fields(type_)

    def _built(self) -> DefinitionText:
        code = self.function.__code__
        line = PythonLine(code.co_filename, code.co_firstlineno)
        schema = schema_value(self.declaration, self._fields)
        root = instance_of(schema, known_kinds())
        composing = Composing(self.name, known_kinds(), schema, root, _explained)
        with running(composing):
            type_ = root.type or DYN if isinstance(root, SchemaRoot) else root
            instance = Built(CelText("schema"), type_, composing)
            given = [Reference(field_of(instance, each)) for each in ("spec", "metadata")]
            returned = rewritten(self.function)(*given[: len(inspect.signature(self.function).parameters)])
            lines: dict[tuple[str | int, ...], PythonLine] = {}
            if returned is not None:
                schema["status"] = template_value(mapping_of(returned), ("spec", "schema", "status"), lines)
        return definition_text(self.declaration, schema, composing, lines, line)


def _explained(composing: Composing, code: str, variables: Iterable[str]) -> str:
    from kro_ls.authoring.compositions.explaining import explained  # the rules are loaded where something is wrong

    return explained(code, composing, variables)


def _given(spec: Any) -> Any:
    """Return the fields of a spec that differ from what kro would fill in."""
    return spec if isinstance(spec, Mapping | Reference) else mapping_of(spec)


class _Decorator(Protocol):
    @overload
    def __call__(self, function: Callable[[S], T], /) -> Composition[S, T]: ...
    @overload
    def __call__(self, function: Callable[[S, ObjectMeta], T], /) -> Composition[S, T]: ...


def composition(
    *,
    kind: str,
    version: str = "v1alpha1",
    group: str = DEFAULT_GROUP,
    name: str | None = None,
    metadata: Json = _NOTHING,
    schema: Json = _NOTHING,
) -> _Decorator:
    """Return what makes a composition of a function of a spec and, if it has a second parameter, of its metadata.

    The spec is a dataclass, a Struct, a TypedDict or a model; the status that the function returns as well, or a
    mapping. `name`, by default the kind's, and `metadata` (labels, annotations) are the definition's own. `schema` are
    other fields of `spec.schema`: scope, types, additionalPrinterColumns, and `spec` in SimpleSchema where the
    function's parameter has no type. Raises CompositionError for a wrong name.
    """
    if not is_kind(kind):
        raise CompositionError(f"kind={kind!r}: a kind is a word such as WebApp")
    if not is_version(version):
        raise CompositionError(f"version={version!r}: a version is one such as v1alpha1")
    declaration = Declaration(kind, version, group, name or kebab_case(kind), metadata, schema)
    names = sys._getframe(1).f_locals  # noqa: SLF001 # annotations may name what is local to the caller

    def decorate(function: Callable[..., Any]) -> Any:
        return Composition(function, declaration, names)

    return decorate


def compositions_of(module: ModuleType) -> list[Composition[Any, Any]]:
    """Return the compositions of a module, those that others use before these. Raises CompositionError."""
    found = {id(each): each for each in vars(module).values() if isinstance(each, Composition)}
    graph = {key: [id(used) for used in each.definition.uses] for key, each in found.items()}
    every = found | {id(used): used for each in found.values() for used in each.definition.uses}
    try:
        return [every[key] for key in TopologicalSorter(graph).static_order()]
    except CycleError:
        raise CompositionError("the compositions use each other in a circle") from None
