"""Help for authors of definitions: first drafts from manifests, and typed Python.

The names of typed Python are imported when they are used, so that a command that drafts pays nothing for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kro_ls.authoring.compositions.choosing import when as when
    from kro_ls.authoring.compositions.composition import Composition as Composition
    from kro_ls.authoring.compositions.composition import Instance as Instance
    from kro_ls.authoring.compositions.composition import ObjectMeta as ObjectMeta
    from kro_ls.authoring.compositions.composition import composition as composition
    from kro_ls.authoring.compositions.composition import compositions_of as compositions_of
    from kro_ls.authoring.compositions.declared_resources import ApiObject as ApiObject
    from kro_ls.authoring.compositions.declared_resources import Resource as Resource
    from kro_ls.authoring.compositions.declared_resources import ResourceOptions as ResourceOptions
    from kro_ls.authoring.compositions.declared_resources import external as external
    from kro_ls.authoring.compositions.looping import Each as Each
    from kro_ls.authoring.compositions.looping import each as each
    from kro_ls.authoring.compositions.problems import CompositionError as CompositionError
    from kro_ls.authoring.compositions.problems import NotInCelError as NotInCelError

_MODULES = {
    "choosing": ("when",),
    "composition": ("Composition", "Instance", "ObjectMeta", "composition", "compositions_of"),
    "declared_resources": ("ApiObject", "Resource", "ResourceOptions", "external"),
    "looping": ("Each", "each"),
    "problems": ("CompositionError", "NotInCelError"),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.compositions.{_PLACES[name]}"), name)
