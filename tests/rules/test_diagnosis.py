"""Diagnostics that rest on kinds that may not be in the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import OBJECT_META, kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.openapi.sources.pack.policy import PackPolicy
from kro_ls.repairs.proof import fixes
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.safe_fixes import safe_fixes
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.fixtures.packs import definition, pack_of, record, version

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.diagnosis import Diagnosis

SOURCE = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema:
    apiVersion: v1
    kind: Shop
    spec: {name: string}
    status:
      found: ${role.status.conditions}
      lost: ${role.status.nope}
  resources:
    - id: role
      template:
        apiVersion: example.com/v1
        kind: Role
        metadata: {name: "${schema.spec.name}"}
        spec:
          policy: 5
          missing: ${schema.spec.unknown}
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${role.status.none}"}
        data: {key: 5}
"""

BY = "operator 1.2.3, bundled with kro-ls"


def kinds(choice: str = "warn") -> SchemaIndex:
    role = definition("Role", version("v1", "policy"), version("v1alpha1", "policy"))
    pack = pack_of(record(role), policy=PackPolicy.of({"*": choice}))
    return schema_index(kubernetes(), (), (pack,))


def shown(diagnosis: Diagnosis) -> list[tuple[int, str, str, bool]]:
    lines = [diagnosis.analysis.text.position(each.span.start).line + 1 for each in diagnosis.diagnostics]
    found = zip(lines, diagnosis.diagnostics, strict=True)
    rows = [(line, each.code, each.severity.value, each.is_doubtful) for line, each in found]
    return sorted(row for row in rows if row[1] != "implicitly-required-field")


ALWAYS = [(20, "undefined-field", "error", False), (26, "template-value-type", "error", False)]
"""Errors that do not depend on the kind: a field of the schema, and a value of a ConfigMap."""


def of_pack(severity: str, *, is_doubtful: bool) -> list[tuple[int, str, str, bool]]:
    return [
        (11, "undefined-field", severity, is_doubtful),
        (19, "template-value-type", severity, is_doubtful),
        (20, "unknown-template-field", severity, is_doubtful),
        (25, "undefined-field", severity, is_doubtful),
    ]


@pytest.mark.parametrize(
    ("choice", "api_version", "expected"),
    [
        ("warn", "example.com/v1", of_pack("warning", is_doubtful=True)),
        ("warn", "example.com/v1alpha1", of_pack("information", is_doubtful=True)),
        ("strict", "example.com/v1alpha1", of_pack("error", is_doubtful=False)),
    ],
)
def test_what_rests_on_the_pack_is_no_error(
    choice: str, api_version: str, expected: list[tuple[int, str, str, bool]]
) -> None:
    source = SOURCE.replace("example.com/v1", api_version)
    assert shown(diagnose_text(Text(source), schemas=kinds(choice))) == sorted([*ALWAYS, *expected])


def test_a_message_says_where_the_kind_comes_from() -> None:
    found = diagnose_text(Text(SOURCE), schemas=kinds()).diagnostics
    assert [each.is_doubtful for each in found] == [each.message.endswith(f"({BY})") for each in found]
    assert any(each.is_doubtful for each in found)


def test_kinds_that_are_turned_off_are_unknown() -> None:
    found = shown(diagnose_text(Text(SOURCE), schemas=kinds("off")))
    assert found == sorted([*ALWAYS, (16, "unknown-kind", "hint", False)])


def test_a_definition_of_the_workspace_leaves_no_doubt() -> None:
    import json

    role = json.dumps(definition("Role", version("v1", "policy")))
    own = CrdSource([("role.yaml", role)], kubernetes().definition(OBJECT_META))
    general = pack_of(record(definition("Role", version("v1", "other"), version("v2", "other"))))
    index = schema_index(kubernetes(), (own,), (general,))
    assert shown(diagnose_text(Text(SOURCE), schemas=index)) == sorted([*ALWAYS, *of_pack("error", is_doubtful=False)])
    # The workspace says which versions there are.
    newer = SOURCE.replace("example.com/v1", "example.com/v2")
    assert (16, "unknown-kind", "hint", False) in shown(diagnose_text(Text(newer), schemas=index))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("policy: 5", 'policy: "5"'),
        ("schema.spec.unknown", "schema.spec.name"),
        ("role.status.nope", "role.status.conditions"),
        ("    - id: config", "    # a comment\n    - id: config"),
        ("example.com/v1", "example.com/v3"),
        ("kind: Role", "kind: ConfigMap"),
        ("id: role", "id: rule"),
    ],
)
def test_an_edited_text_is_judged_as_a_fresh_one(old: str, new: str) -> None:
    index = kinds()
    document = Document("file:///shop.yaml", 1, Text(SOURCE), PositionEncoding.UTF32, schemas=index)
    for before, after in ((old, new), (new, old)):
        assert document.diagnosis is not None
        start = document.text.content.index(before)
        ends = [document.text.position(each) for each in (start, start + len(before))]
        places = [(each.line, each.column) for each in ends]
        document = document.edited(None, (Edit(after, places[0], places[1]),))
        fresh = diagnose_text(Text(document.text.content), schemas=index)
        assert document.diagnosis.diagnostics == fresh.diagnostics


def document_of(source: str) -> Document:
    return Document("file:///shop.yaml", 1, Text(source), PositionEncoding.UTF32, schemas=kinds())


def test_a_doubtful_fault_has_the_fixes_of_an_error() -> None:
    document = document_of(SOURCE.replace("policy: 5", "polcy: a"))
    (found,) = [each for each in document.diagnosis.diagnostics if "polcy" in each.message]
    assert found.is_doubtful
    assert [each.title for each in fixes(document, found)] == ["Change to 'policy'", "Remove 'polcy'"]


def test_nothing_doubtful_is_fixed_without_asking() -> None:
    scope = definition("Role", version("v1", "policy"), scope="Cluster")
    index = schema_index(kubernetes(), (), (pack_of(record(scope)),))
    source = SOURCE.replace('metadata: {name: "${schema.spec.name}"}', "metadata: {name: x, namespace: y}", 1)
    document = Document("file:///shop.yaml", 1, Text(source), PositionEncoding.UTF32, schemas=index)
    (found,) = [each for each in document.diagnosis.diagnostics if each.code == "cluster-scoped-namespace"]
    assert found.is_doubtful
    assert found not in [each for each, _ in safe_fixes(document.diagnosis)]
