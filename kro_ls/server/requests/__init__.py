"""Requests and notifications: a module for each method, or for a few with the same subject.

Features are imported when they are first used, so that `initialize` is answered without them.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from kro_ls.server.request import register
from kro_ls.server.server import KroLanguageServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.server.request import Registered


def _registered() -> Iterator[Registered]:
    """Yield what the modules here register, except pull diagnostics, which only some clients are offered."""
    for module in iter_modules(__path__):
        if module.name != "diagnostic":
            yield from import_module(f"{__name__}.{module.name}").REGISTERED


REGISTERED = tuple(_registered())


def create_server() -> KroLanguageServer:
    """Return a server with everything registered."""
    server = KroLanguageServer()
    for each in REGISTERED:
        register(server, each)
    return server
