"""The server's use of pygls beside its public interface is in one place, and pygls has not changed it."""

from __future__ import annotations

import ast
import hashlib
import inspect
from pathlib import Path

import pytest
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from kro_ls.server.connection import protocol
from kro_ls.server.connection.protocol import PRIVATE_PARTS

ROOM = Path(protocol.__file__).parents[1]
SOURCES = {
    "__init__": "6a96fc574b528115",
    "_execute_handler": "d08c9ac9995fc571",
    "_handle_notification": "d116395477c57456",
    "_handle_request": "74d28ad48dd25dbf",
    "_send_response": "b799bb966ca7ebb1",
    "handle_message": "d46f22474082c0cf",
    "structure_message": "ac66b961a32acb07",
    "lsp_initialize": "25d45da16abef004",
    "lsp_shutdown": "86ec7ca1055cb177",
    "set_writer": "3a3f91c8c4e0cf03",
    "_run_generator": "c06d9a4e1af484bc",
    "_send_handler_result": "38d95833f8826cde",
    "_handle_cancel_notification": "fa7c59a911cd13fc",
}
"""The sources that `protocol.py` overrides, extends or relies on, by the digest of what was read for that."""


def names_in(path: Path) -> set[str]:
    """Return the attributes that a module reads or writes, and the functions that it defines."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    methods = {
        each.name
        for node in nodes
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.FunctionDef)
    }
    return methods | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def test_private_parts_are_used_in_one_module_and_have_a_reason() -> None:
    plain = LanguageServer("plain", "1").protocol
    private = {name for name in dir(plain) if name.startswith("_") and not name.startswith("__")}
    assert names_in(Path(protocol.__file__)) & private == PRIVATE_PARTS.keys()
    elsewhere = {path.name for path in ROOM.rglob("*.py") if names_in(path) & PRIVATE_PARTS.keys()}
    assert elsewhere == {"protocol.py"}


@pytest.mark.parametrize("name", SOURCES)
def test_pygls_is_as_it_was(name: str) -> None:
    """Where it changed, read what did, see that `protocol.py` is still right, and take the new digest."""
    source = inspect.getsource(getattr(LanguageServerProtocol, name))
    assert hashlib.sha256(source.encode()).hexdigest()[:16] == SOURCES[name]
