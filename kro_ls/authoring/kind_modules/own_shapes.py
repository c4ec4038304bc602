"""The shapes of Kubernetes' own kinds, and of what they are made of, by module."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kro_ls.authoring.kind_modules.module_names import ModuleName, module_name
from kro_ls.authoring.kind_modules.shapes import FieldType, Object, ShapeReader, scalar

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.openapi.sources.bundled import BundledKubernetes


class OwnShapes:
    """The shapes of one minor. Definitions that no kind is made of are left out."""

    def __init__(self, kubernetes: BundledKubernetes) -> None:
        self._kubernetes = kubernetes

    @cached_property
    def kinds(self) -> dict[str, GroupVersionKind]:
        """The kinds by the full name of their definition."""
        named = ((self._kubernetes.definition_name(kind), kind) for kind in self._kubernetes.names())
        return {name: kind for name, kind in named if name is not None}

    @cached_property
    def modules(self) -> dict[str, ModuleName]:
        """The module of each package of definitions (`io.k8s.api.apps.v1`): that of the kinds in it."""
        found = {name.rpartition(".")[0]: module_name(kind) for name, kind in self.kinds.items()}
        for name in self._kubernetes.definition_names():
            package = name.rpartition(".")[0]
            group, _, version = package.rpartition(".")
            found.setdefault(package, ModuleName(group.rpartition(".")[2], version))
        return found

    def read_all(self) -> dict[ModuleName, ShapeReader]:
        """Return every module with its shapes."""
        readers: dict[ModuleName, ShapeReader] = {}
        pending = list(self.kinds)
        seen = set(pending)

        def refer(name: str) -> FieldType | None:
            found = self.type_of(name)
            if isinstance(found, Object) and name not in seen:
                seen.add(name)
                pending.append(name)
            return found

        while pending:
            name = pending.pop()
            package, _, short = name.rpartition(".")
            module = self.modules[package]
            reader = readers.get(module)
            if reader is None:
                reader = readers[module] = ShapeReader(module, refer)
            reader.read(short, self._schema(name), self.kinds.get(name))
        return readers

    def type_of(self, name: str) -> FieldType | None:
        """Return the type that a definition stands for, None for an unknown one."""
        package, _, short = name.rpartition(".")
        schema = self._kubernetes.definition(name)
        if schema.get("properties"):
            return Object(self.modules[package], short, is_kind=name in self.kinds)
        return scalar(schema)

    def _schema(self, name: str) -> JsonObject:
        return self._kubernetes.unexpanded(name) or {}
