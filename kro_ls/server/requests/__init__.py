"""What clients ask and tell: a module for each method, or for a few that share what they are about.

Features are imported when they are first used, so that a client's `initialize` is answered without them.
"""

from __future__ import annotations

from itertools import chain

from kro_ls.server.registry import register
from kro_ls.server.requests import (
    call_hierarchy,
    code_action,
    code_lens,
    commands,
    completion,
    configuration,
    definition,
    files,
    formatting,
    graph,
    hover,
    inlay_hint,
    lifecycle,
    places,
    preview,
    references,
    rename,
    semantic_tokens,
    signature_help,
    structure,
    synchronisation,
    text_document_content,
    type_hierarchy,
    workspace_symbol,
)
from kro_ls.server.server import KroLanguageServer

_MODULES = (
    lifecycle,
    configuration,
    synchronisation,
    files,
    hover,
    definition,
    references,
    structure,
    places,
    semantic_tokens,
    completion,
    signature_help,
    inlay_hint,
    code_lens,
    code_action,
    rename,
    formatting,
    call_hierarchy,
    type_hierarchy,
    workspace_symbol,
    commands,
    text_document_content,
    graph,
    preview,
)
"""All but those for clients that ask for diagnostics, which are registered when one says that it does."""

REGISTERED = tuple(chain.from_iterable(module.REGISTERED for module in _MODULES))


def create_server() -> KroLanguageServer:
    """Return a server with everything registered."""
    server = KroLanguageServer()
    for each in REGISTERED:
        register(server, each)
    return server
