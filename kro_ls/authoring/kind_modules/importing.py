"""Imports modules of kinds, which are made when a program asks for them."""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

from kro_ls.authoring.kind_modules.kind_classes import find_class, kinds_of
from kro_ls.authoring.kind_modules.module_names import META, PACKAGE, ModuleName, kinds_by_module
from kro_ls.authoring.known_kinds import known_kinds
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


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
        """Let a module make its classes when they are asked for."""
        asked = module.__name__.removeprefix(f"{PACKAGE}.").split(".")
        if len(asked) == 2:
            name = ModuleName(*asked)
            module.__dict__.update(__getattr__=lambda each: _member(name, each), __dir__=lambda: list(kinds_of(name)))


def install() -> None:
    """Let `import` find the modules; it is done once."""
    if not any(isinstance(each, KindModules) for each in sys.meta_path):
        sys.meta_path.insert(0, KindModules())


def _member(module: ModuleName, name: str) -> Any:
    found = None if name.startswith("__") else find_class(module, name)
    if found is not None:
        return found
    if not name[:1].isupper():
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    # Not an AttributeError: of that, `from ... import` would tell nothing.
    raise ImportError(_unknown(f"{module}.{name}", name, set(kinds_of(module))), name=str(module))


def _unknown(fullname: str, name: str, known: set[str]) -> str:
    meant = closest(name, sorted(known))
    advice = f"did you mean '{meant}'?" if meant else "'kro-ls kinds add' adds the definitions of kinds"
    return f"no kind is known as '{fullname}'; {advice}"
