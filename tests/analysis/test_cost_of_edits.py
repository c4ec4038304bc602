"""What an edit costs does not depend on the number of resources: counted in calls of functions, not by a clock."""

from __future__ import annotations

import pytest

from kro_ls.analysis.model.sections import CutSection
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.fixtures.calls import calls_in

_FEW, _MANY = 128, 512
_FEW_FIELDS, _MANY_FIELDS = 256, 1024
"""With half as many resources: of 32 that follow one another, an edit looks at each."""

_SCHEMA = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: chain
spec:
  schema:
    apiVersion: v1alpha1
    kind: Chain
    spec:
      name: string | required=true
    status:
      first: ${link0.metadata.name}
  resources:
"""

_RESOURCE = """\
    - id: link{number}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${{schema.spec.name}}-{number}
          labels:
            before: ${{{before}}}
"""


_SERVICE = """\
    - id: web
      template: {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}]}}
"""
"""A kind whose objects lack fields, for which a status that reads one is looked at."""


def _chain(length: int) -> Document:
    """A chain of resources, each of which reads the one before it."""
    reads = ["schema.spec.name", *(f"link{number}.metadata.name" for number in range(length - 1))]
    resources = (_RESOURCE.format(number=number, before=before) for number, before in enumerate(reads))
    document = Document("file:///chain.yaml", 1, Text(_SCHEMA + "".join(resources)), PositionEncoding.UTF32)
    assert not document.diagnosis.diagnostics
    return document


def _fields(count: int) -> Document:
    """A schema of so many fields, each of which a resource reads, and half as many status expressions."""
    fields = "".join(f"      field{number}: string | default=a{number}\n" for number in range(count))
    outputs = "".join(f"      output{number}: ${{link{number % 8}.metadata.name}}-\n" for number in range(count // 2))
    reads = (f"schema.spec.field{number} + schema.spec.field{count - 1 - number}" for number in range(count // 2))
    resources = "".join(_RESOURCE.format(number=number, before=read) for number, read in enumerate(reads))
    text = _SCHEMA.replace("    status:\n", f"{fields}    status:\n").replace("  resources:", f"{outputs}  resources:")
    document = Document("file:///fields.yaml", 1, Text(text + _SERVICE + resources), PositionEncoding.UTF32)
    assert isinstance(document.analysis.rgds[0].section, CutSection)
    return document


@pytest.fixture(scope="module")
def schemas() -> tuple[Document, Document]:
    """A small one and a large one, both in parts."""
    return _fields(_FEW_FIELDS), _fields(_MANY_FIELDS)


@pytest.fixture(scope="module")
def chains() -> tuple[Document, Document]:
    """A short one and a long one."""
    return _chain(_FEW), _chain(_MANY)


def _edited(document: Document, old: str, new: str) -> Document:
    text = document.text
    assert text.content.count(old) == 1
    start = text.content.index(old)
    first, last = text.position(start), text.position(start + len(old))
    return document.edited(None, (Edit(new, (first.line, first.column), (last.line, last.column)),))


def _calls(document: Document, old: str, new: str) -> int:
    """Count the calls of functions from an edit to its diagnosis."""
    before = _edited(document, old, f"{new}1\n")
    assert before.diagnosis is not None  # which also pays for what is computed once

    def diagnose() -> None:
        assert _edited(before, f"{new}1\n", f"{new}2\n").diagnosis is not None

    return calls_in(diagnose)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("-100\n", "-x", id="template value"),
        pytest.param("${link98.metadata.name}\n", "${link97.metadata.name}-", id="expression"),
        pytest.param("-100\n", "-100 # ", id="comment"),
        pytest.param("kind: Chain\n", "kind: Chain # ", id="comment in the schema"),
        pytest.param("first: ${link0.metadata.name}\n", "first: ${link1.metadata.name}-", id="status expression"),
        pytest.param("required=true\n", "required=true\n      more: string | default=", id="new field"),
        pytest.param("- id: link100\n", "- id: added\n    - id: link100 # ", id="new resource"),
        pytest.param("- id: link100\n", "- id: other", id="id that another resource uses"),
    ],
)
def test_an_edit_looks_at_what_it_can_change(chains: tuple[Document, Document], old: str, new: str) -> None:
    few, many = (_calls(chain, old, new) for chain in chains)
    assert many - few < (_MANY - _FEW) / 4


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("=a100\n", "=a100 # ", id="comment"),
        pytest.param("field100: string | default=a100\n", "field100: string | default=b", id="default"),
        pytest.param("field100: string | default=a100\n", "field100: integer | default=", id="type"),
        pytest.param("=a100\n", "=a100\n      more: string | default=", id="new field"),
        pytest.param("required=true\n", "required=true # ", id="comment in the first field"),
        pytest.param("t40: ${link0.metadata.name}-\n", "t40: ${link1.metadata.name}-", id="status expression"),
        pytest.param("kind: Chain\n", "kind: Chain # ", id="comment outside of the fields"),
        pytest.param("default=a50\n", "default='", id="fault"),
        pytest.param("name}-3\n", "name}-3 # ", id="comment in a resource"),
    ],
)
def test_an_edit_of_a_schema_looks_at_the_field_that_it_changes(
    schemas: tuple[Document, Document], old: str, new: str
) -> None:
    few, many = (_calls(schema, old, new) for schema in schemas)
    assert many - few < (_MANY_FIELDS - _FEW_FIELDS) / 4
