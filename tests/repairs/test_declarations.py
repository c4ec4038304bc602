"""What an instance may leave out is mended where it is declared."""

from __future__ import annotations

from kro_ls.repairs.proof import errors, fixes
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.scalars.writing import edited
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

DEFINITION = rgd_around("""\
schema:
  apiVersion: v1alpha1
  kind: App
  spec:
    name: string | required=true
    database:
      host: string
    image: string
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
      data:
        host: ${schema.spec.database.host}
        image: ${schema.spec.image}
  - id: other
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}-2
      data:
        image: ${schema.spec.image}
""")


def results(field: str) -> dict[str, str]:
    document = Document("file:///rgd.yaml", 1, Text(DEFINITION))
    reported = [each for each in document.diagnosis.diagnostics if each.message.startswith(f"'{field}' is optional")]
    return {fix.title: edited(DEFINITION, fix.replacements) for fix in fixes(document, reported[0])}


def test_the_declaration_comes_first() -> None:
    found = results("image")
    assert list(found) == [
        "Mark 'image' as required where it is declared",
        "Give 'image' a default where it is declared",
        "Read as '.?image' everywhere (left out gives null)",
    ]
    assert [text.count("schema.spec.?image") for text in found.values()] == [0, 0, 2]
    assert "image: string | required=true" in next(iter(found.values()))


def test_an_object_without_a_name_takes_no_markers() -> None:
    first, *_ = results("database").items()
    assert first[0] == "Move 'database' to 'types', where it has a name, and mark it as required"
    assert "    types:\n      Database:\n        host: string\n    spec:\n" in first[1]
    assert "      database: Database | required=true\n" in first[1]
    assert not errors(Document("file:///rgd.yaml", 1, Text(first[1])))
