"""Classes of kinds, and of the objects inside them, and the modules that programs import them from.

Both are made when a program asks for them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

from kro_ls.authoring.compositions.declared_resources import ApiObject, ResourceOptions
from kro_ls.authoring.compositions.problems import UnknownFieldError
from kro_ls.authoring.compositions.reference import Reference
from kro_ls.authoring.kind_modules.module_names import META, PACKAGE, ModuleName, kinds_by_module, module_name
from kro_ls.authoring.kind_modules.shapes import REFERENCE, OwnShapes, custom_shapes, dict_name
from kro_ls.authoring.known_kinds import known_kinds
from kro_ls.authoring.python_fields import schema_field
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema


class ObjectValue(dict[str, Any]):
    """An object inside a kind, made with keywords: a dict that refuses fields which the kind does not have."""

    schema: Schema

    def __init__(self, **fields: Any) -> None:
        given = {schema_field(name): value for name, value in fields.items()}
        check_fields(type(self).__name__, given, self.schema)
        super().__init__(given)

    def __getattr__(self, name: str) -> Any:
        try:
            return self[schema_field(name)]
        except KeyError:
            raise AttributeError(f"this {type(self).__name__} is made without '{name}'") from None


def find_class(module: ModuleName, name: str) -> type[Any] | None:
    """Return the class of a kind, or of an object inside one, None for an unknown name."""
    if name.endswith(REFERENCE) and find_class(module, name.removesuffix(REFERENCE)) is not None:
        return Reference
    index = known_kinds()
    kinds = kinds_of(module)
    found = kinds.get(name)
    if found is not None:
        schema = index.find(found.group, found.version, found.kind)
        return _class_of_kind(schema) if schema else None
    inside = next((kind for kind in kinds.values() if dict_name(kind.kind) == name), None)
    schema = index.find(inside.group, inside.version, inside.kind) if inside else None
    if schema is not None:
        return _class_of_object(name, module, schema.schema)
    own = _own_definitions().get((module, name))
    if own is not None:
        return _class_of_object(name, module, kubernetes().definition(own))
    for kind in kinds.values():
        schema = index.find(kind.group, kind.version, kind.kind) if name.startswith(kind.kind) else None
        if schema is not None:
            reader = custom_shapes(module, schema, frozenset(kinds))
            if name in reader.schemas:
                return _class_of_object(name, module, reader.schemas[name])
    return None


def kinds_of(module: ModuleName) -> dict[str, GroupVersionKind]:
    """Return the known kinds of a module by name."""
    return kinds_by_module(known_kinds()).get(module, {})


def check_fields(where: str, given: Mapping[str, Any], schema: Schema) -> None:
    """Compare an object's fields, and those inside them, with a schema. Raises UnknownFieldError."""
    if not schema.raw.get("properties") and schema.additional_properties is None:
        return
    for name, value in given.items():
        child = schema.child(name)
        if child is None:
            meant = closest(name, schema.properties)
            raise UnknownFieldError(f"{where} has no field '{name}'" + (f"; did you mean '{meant}'?" if meant else ""))
        _check_value(f"{where}.{name}", value, child)


def _check_value(where: str, value: Any, schema: Schema) -> None:
    if isinstance(value, ObjectValue):
        return  # checked where it was made
    if isinstance(value, Mapping):
        check_fields(where, value, schema)
    elif isinstance(value, list | tuple) and schema.items is not None:
        for number, each in enumerate(value):
            _check_value(f"{where}[{number}]", each, schema.items)


@lru_cache(maxsize=1024)  # of kinds that programs use
def _class_of_kind(kind: KindSchema) -> type[Any]:
    options = frozenset(ResourceOptions.__annotations__)
    schema = Schema(kind.schema)

    def __init__(self: Any, **fields: Any) -> None:  # noqa: N807
        given = {schema_field(name): value for name, value in fields.items() if name not in options}
        check_fields(kind.name.kind, given, schema)
        ApiObject.__init__(self, **fields)

    place = {"__module__": str(module_name(kind.name)), "__doc__": schema.description}
    return type(kind.name.kind, (ApiObject,), {"__init__": __init__, "kind_schema": kind, **place})


def _class_of_object(name: str, module: ModuleName, schema: Any) -> type[Any]:
    view = Schema(schema)
    return type(name, (ObjectValue,), {"schema": view, "__module__": str(module), "__doc__": view.description})


@lru_cache(maxsize=1)  # built once, from the package
def _own_definitions() -> dict[tuple[ModuleName, str], str]:
    """The full names of the newest Kubernetes' definitions by module and name."""
    modules = OwnShapes(kubernetes()).modules
    names = (name.rpartition(".") for name in kubernetes().definition_names())
    return {(modules[package], name): f"{package}.{name}" for package, _, name in names}


class KindModules(MetaPathFinder, Loader):
    """Finds and makes `kro_ls.authoring.kinds.<group>` and `kro_ls.authoring.kinds.<group>.<version>`."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 (the interface's name)
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return how a module is made. Raises ModuleNotFoundError for a group or version that nothing declares."""
        if not fullname.startswith(f"{PACKAGE}."):
            return None
        asked = fullname.removeprefix(f"{PACKAGE}.").split(".")
        modules = {META, *kinds_by_module(known_kinds())}
        is_group = len(asked) == 1
        names = (
            {each.group for each in modules}
            if is_group
            else {each.version for each in modules if each.group == asked[0]}
        )
        if asked[-1] not in names:
            raise ModuleNotFoundError(_unknown(fullname, asked[-1], names), name=fullname)
        return ModuleSpec(fullname, self, is_package=is_group)

    def exec_module(self, module: ModuleType) -> None:
        """Have a module make its classes on access."""
        asked = module.__name__.removeprefix(f"{PACKAGE}.").split(".")
        if len(asked) == 2:
            name = ModuleName(*asked)
            module.__dict__.update(__getattr__=lambda each: _member(name, each), __dir__=lambda: list(kinds_of(name)))


def install() -> None:
    """Register the finder of the modules, once."""
    if not any(isinstance(each, KindModules) for each in sys.meta_path):
        sys.meta_path.insert(0, KindModules())


def _member(module: ModuleName, name: str) -> Any:
    found = None if name.startswith("__") else find_class(module, name)
    if found is not None:
        return found
    if not name[:1].isupper():
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    # `from ... import` would not show the text of an AttributeError.
    raise ImportError(_unknown(f"{module}.{name}", name, set(kinds_of(module))), name=str(module))


def _unknown(fullname: str, name: str, known: set[str]) -> str:
    meant = closest(name, sorted(known))
    advice = f"did you mean '{meant}'?" if meant else "'kro-ls kinds add' adds the definitions of kinds"
    return f"no kind is known as '{fullname}'; {advice}"
