"""The page of methods lists what the server registers and reports to a client."""

from __future__ import annotations

from generators.methods_page import WORDS, registered
from tests.fixtures.client import Client

WITHOUT_A_PROVIDER = ("didOpen", "didChange", "didSave", "didClose", "prepareRename")

OF_THEIR_OWN = ("ormatting", "full", "delta", "range")
"""Endings of methods whose providers have other names."""


def test_each_method_is_mentioned_and_no_other() -> None:
    assert set(registered()) == set(WORDS)


def test_the_server_offers_what_the_page_says() -> None:
    files = {"fileOperations": {"willRename": True, "didRename": True, "didDelete": True}}
    with Client() as client:
        workspace = {**files, "diagnostics": {"refreshSupport": True}}
        capabilities = client.initialize({"workspace": workspace, "textDocument": {"diagnostic": {}}})["capabilities"]
    for method in registered():
        group, _, name = method.partition("/")
        if group == "textDocument" and name not in WITHOUT_A_PROVIDER and not name.endswith(OF_THEIR_OWN):
            name = name.removeprefix("prepare")
            assert capabilities.get(f"{name[0].lower()}{name[1:]}Provider"), name
    assert capabilities["linkedEditingRangeProvider"]
    assert capabilities["selectionRangeProvider"]
    tokens = capabilities["semanticTokensProvider"]
    assert tokens["range"]
    assert tokens["full"] == {"delta": True}
    assert capabilities["documentFormattingProvider"]
    assert capabilities["documentRangeFormattingProvider"]
    assert capabilities["documentOnTypeFormattingProvider"]["firstTriggerCharacter"] == "}"
    assert capabilities["workspaceSymbolProvider"]
    assert capabilities["diagnosticProvider"]["interFileDependencies"]
    assert capabilities["diagnosticProvider"]["workspaceDiagnostics"]
    assert set(capabilities["workspace"]["fileOperations"]) == {"willRename", "didRename", "didDelete"}
