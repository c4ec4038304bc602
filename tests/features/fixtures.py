"""Fixtures of feature tests: one string with `$0` at the cursor and `^^^ label` under what a feature should find."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lsprotocol import types

from kro_ls.features.convert import to_position
from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text

_MARK_LINE = re.compile(r"^\s*#?\s*(\^+)\s*(\S.*)?$")
CURSOR = "$0"

URI = "file:///rgd.yaml"


@dataclass(frozen=True, slots=True)
class Fixture:
    """A document, the cursor in it, and the marked ranges by label (in UTF-16 units)."""

    document: Document
    cursor: types.Position
    marks: dict[str, list[types.Range]]

    @property
    def ranges(self) -> list[types.Range]:
        """All marked ranges, in the order of the text."""
        return sorted(
            (each for found in self.marks.values() for each in found), key=lambda each: (each.start, each.end)
        )


def schemas_with(crd: str) -> SchemaIndex:
    """Return the kinds of Kubernetes, and those of a CustomResourceDefinition."""
    known = schema_index(kubernetes())
    return schema_index(kubernetes(), [CrdSource([("crd.yaml", crd)], known.object_meta)])


def fixture(source: str, schemas: SchemaIndex | None = None) -> Fixture:
    """Read a fixture; the first line may be empty. A fixture without a cursor has it at the start.

    Marks stand under the text as it is without the cursor.
    """
    lines: list[str] = []
    marks: dict[str, list[types.Range]] = {}
    for line in source.removeprefix("\n").split("\n"):
        mark = _MARK_LINE.match(line)
        if mark is None:
            lines.append(line)
            continue
        start, end = mark.span(1)
        line_number = len(lines) - 1
        found = types.Range(types.Position(line_number, start), types.Position(line_number, end))
        marks.setdefault(mark.group(2) or "", []).append(found)
    content = "\n".join(lines)
    offset = max(content.find(CURSOR), 0)
    document = Document(URI, 1, Text(content.replace(CURSOR, "", 1)), schemas=schemas)
    return Fixture(document, to_position(document, offset), marks)


def rgd(resources: str = "", *, spec: str = "{name: string}", status: str = "") -> str:
    """Return the text of an RGD with these resources (indented as entries of a list in column 0)."""
    head = f"""\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec: {spec}
"""
    if status:
        head += "    status:\n" + _indented(status, 6)
    return head + ("  resources:\n" + _indented(resources, 4) if resources else "")


def _indented(text: str, columns: int) -> str:
    return "".join(f"{' ' * columns}{line}\n" if line else "\n" for line in text.strip("\n").split("\n"))
