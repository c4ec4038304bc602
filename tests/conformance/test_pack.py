"""Tests that the pack of well-known kinds changes no verdict on kinds in the data, and adds no error anywhere."""

from __future__ import annotations

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from kro_ls.openapi.sources.pack.reading import installed_pack
from kro_ls.rules.diagnostics import Severity
from tests.conformance.schemas import RECORDED_VERSION, crds, diagnose_closed, schemas
from tests.paths import CONFORMANCE, needs_conformance, needs_pack


@needs_pack
@needs_conformance
def test_the_pack_adds_no_error() -> None:
    kinds = kubernetes("1.36")
    pack = installed_pack(kinds, DEFAULT_POLICY)
    assert pack
    with_pack = schema_index(kinds, (crds(CONFORMANCE),), (pack,))
    known = 0
    for file in sorted((CONFORMANCE / "rgds").glob("*.y*ml")):
        text = file.read_text(encoding="utf-8")
        without = diagnose_closed(text, schemas(CONFORMANCE), RECORDED_VERSION).diagnostics
        found = diagnose_closed(text, with_pack, RECORDED_VERSION).diagnostics
        before = {(each.code, each.span) for each in without if each.severity is Severity.ERROR}
        errors = {(each.code, each.span) for each in found if each.severity is Severity.ERROR}
        assert errors <= before, file.name
        gone = before - errors
        assert {code for code, _ in gone} <= {"unknown-kind"}, file.name
        known += len(gone)
    assert known
