"""Connects LSP's messages to the server and the features: one module for each group of messages.

Features are imported when they are first used, so that a client's `initialize` is answered without them.
"""

from __future__ import annotations

from kro_ls.server.commands import register_commands
from kro_ls.server.handlers.completion import register_completion
from kro_ls.server.handlers.edits import register_edits
from kro_ls.server.handlers.graphs import register_graphs
from kro_ls.server.handlers.hints import register_hints
from kro_ls.server.handlers.lifecycle import register_lifecycle
from kro_ls.server.handlers.navigation import register_navigation
from kro_ls.server.handlers.previews import register_previews
from kro_ls.server.handlers.synchronisation import register_synchronisation
from kro_ls.server.server import KroLanguageServer


def create_server() -> KroLanguageServer:
    """Return a server with every feature registered."""
    server = KroLanguageServer()
    register_lifecycle(server)
    register_synchronisation(server)
    register_navigation(server)
    register_completion(server)
    register_hints(server)
    register_edits(server)
    register_graphs(server)
    register_commands(server)
    register_previews(server)
    return server
