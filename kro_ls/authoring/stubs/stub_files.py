"""The files of stubs: Kubernetes' own beside the package of kinds, those of other kinds in a folder of the user's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.authoring.kind_modules.module_names import PACKAGE, kinds_by_module, module_name
from kro_ls.authoring.kind_modules.own_shapes import OwnShapes
from kro_ls.authoring.kind_modules.shapes import ShapeReader, custom_shapes
from kro_ls.authoring.stubs.kind_stubs import module_stub
from kro_ls.openapi.sources.bundled import kubernetes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.authoring.kind_modules.module_names import ModuleName
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind

FOLDER: Final = PACKAGE.replace(".", "/")
_SOURCE: Final = '''\
"""The kinds of {0.group}/{0.version}: made when they are imported, by `{1}` and not by this file.

Without it pyright would say of each import that the stub beside it has no source.
"""
'''


def own_stub_files() -> dict[str, str]:
    """Return the text of each file of Kubernetes' own kinds, by its path in the package of kinds."""
    files: dict[str, str] = {}
    for module, reader in OwnShapes(kubernetes()).read_all().items():
        files[f"{module.group}/{module.version}.pyi"] = module_stub(reader)
        files[f"{module.group}/{module.version}.py"] = _SOURCE.format(module, PACKAGE)
    return files


def custom_stub_files(index: SchemaIndex, kinds: Iterable[GroupVersionKind]) -> dict[str, str]:
    """Return the text of each file of some other kinds, by its path in a folder of stubs.

    The folders have no file that makes them packages, so that type checkers look there and in the installed package.
    """
    by_module: dict[ModuleName, list[GroupVersionKind]] = {}
    for kind in kinds:
        by_module.setdefault(module_name(kind), []).append(kind)
    files: dict[str, str] = {}
    for module, names in sorted(by_module.items()):
        taken = frozenset(kinds_by_module(index)[module])
        merged = ShapeReader(module)
        for kind in names:
            schema = index.find(kind.group, kind.version, kind.kind)
            if schema is not None:
                found = custom_shapes(module, schema, taken)
                merged.shapes = found.shapes | merged.shapes
                merged.schemas = found.schemas | merged.schemas
        files[f"{FOLDER}/{module.group}/{module.version}.pyi"] = module_stub(merged)
    return files
