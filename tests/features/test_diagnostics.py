"""Diagnostics as clients get them."""

from __future__ import annotations

from kro_ls.features.diagnostics import diagnostics
from kro_ls.features.lsp_types import SentDiagnostic
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_of_config_maps


def sent(name: str) -> list[SentDiagnostic]:
    return diagnostics(Document("file:///a.yaml", 1, Text(rgd_of_config_maps(("config", name)))))


def test_what_kro_prints_is_related_information_at_the_same_place() -> None:
    (found,) = sent("${shema.spec.name}")
    assert found.message == "unknown name 'shema'; did you mean 'schema'?"
    assert found.related_information
    (kro,) = found.related_information
    assert kro.message == "kro's message: references unknown identifiers: [shema]"
    assert kro.location.range == found.range


def test_what_kro_does_not_see_has_no_message_of_kro() -> None:
    (found,) = sent("${")
    assert found.related_information is None
