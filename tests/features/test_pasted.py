"""A manifest pasted below `template:`: it is indented to its place, by formatting its lines or by a code action."""

from __future__ import annotations

from textwrap import indent

import pytest
from lsprotocol import types

from kro_ls.features.indentation import indent_pasted, pasted_action
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.features.field_renaming import applied
from tests.fixtures.calls import calls_in
from tests.fixtures.definitions import rgd_around

SCHEMA = "schema: {apiVersion: v1alpha1, kind: Shop, spec: {name: string}}\nresources:\n"
BEFORE = rgd_around(SCHEMA + "  - id: web\n    template:\n")
AFTER = "    - id: other\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: other}}\n"
CONDITION = "      readyWhen:\n        - ${web.status.replicas > 0}\n"
MANIFEST = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: {matchLabels: {app: web}}

  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: web
          image: nginx
"""
IN_PLACE = BEFORE + indent(MANIFEST, " " * 8)


def document(text: str) -> Document:
    return Document("file:///rgd.yaml", 1, Text(text))


def lines_of(text: str, first: str, last: str) -> types.Range:
    start, end = (text[: text.index(each, len(BEFORE) - 20)].count("\n") for each in (first, last))
    return types.Range(types.Position(start, 0), types.Position(end, 0))


@pytest.mark.parametrize("after", ["", AFTER, CONDITION + AFTER, "---\n" + MANIFEST])
@pytest.mark.parametrize(
    "pasted",
    [
        MANIFEST,
        "---\n" + MANIFEST,
        "\n" + MANIFEST,
        " " * 8 + MANIFEST,
        " " * 6 + MANIFEST,
        indent(MANIFEST, " " * 4),
        indent(MANIFEST, " " * 6),
    ],
    ids=["margin", "separator", "blank line", "first line", "first line in part", "resource", "template"],
)
@pytest.mark.parametrize("at", ["apiVersion: apps", "image: nginx", "metadata:\n  "], ids=["first", "last", "inside"])
def test_it_is_indented_to_its_place(pasted: str, after: str, at: str) -> None:
    text = BEFORE + pasted + after
    at = at if at in text else "kind: Deployment"
    result = applied(document(text), indent_pasted(document(text), lines_of(text, at, at)))
    assert result.replace("template:\n\n", "template:\n") == IN_PLACE + after


def test_all_of_its_lines_can_be_selected_and_ends_of_lines_stay() -> None:
    text = (BEFORE + MANIFEST + AFTER).replace("\n", "\r\n")
    edits = indent_pasted(document(text), lines_of(text, "template:", "image: nginx"))
    assert applied(document(text), edits) == (IN_PLACE + AFTER).replace("\n", "\r\n")


@pytest.mark.parametrize(
    "text",
    [
        IN_PLACE + AFTER,
        BEFORE + AFTER,
        BEFORE + "        apiVersion: v1\n" + AFTER,
        BEFORE + "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: shop}\n",
        BEFORE + "metadata:\n  name: shop\n",
        BEFORE + "  schema:\n    kind: Shop\n    apiVersion: v1alpha1\n",
        "",
        "template:",
    ],
    ids=["in place", "empty", "half-typed", "end of definition", "metadata", "schema", "nothing", "end"],
)
def test_what_may_be_meant_as_it_is_stays(text: str) -> None:
    every_line = types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))
    assert indent_pasted(document(text), every_line) == []
    assert pasted_action(document(text), every_line) == []


def test_it_is_offered_where_the_cursor_is_after_pasting() -> None:
    text = BEFORE + MANIFEST + "\n"
    below = types.Range(types.Position(text.count("\n"), 0), types.Position(text.count("\n"), 0))
    assert applied(document(text), indent_pasted(document(text), below)) == IN_PLACE + "\n"


def test_lines_elsewhere_are_not_touched() -> None:
    text = BEFORE + MANIFEST + AFTER
    assert indent_pasted(document(text), lines_of(text, "id: other", "id: other")) == []


def test_the_action_does_the_same() -> None:
    text = BEFORE + MANIFEST + AFTER
    [action] = pasted_action(document(text), lines_of(text, "kind: Deployment", "kind: Deployment"))
    assert action.title == "Indent the manifest below 'template:'"
    assert action.edit
    assert action.edit.changes
    assert applied(document(text), list(action.edit.changes["file:///rgd.yaml"])) == IN_PLACE + AFTER


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_the_lines_of_a_large_text_are_not_looked_at_one_by_one(line_end: str) -> None:
    """Editors ask for code actions whenever the cursor moves, and other documents wait meanwhile."""
    content = ("# a comment\n" * 5_000 + BEFORE + MANIFEST + AFTER).replace("\n", line_end)
    large = document(content)
    assert large.text.line_count > 5_000  # which is computed once, for all requests
    place = types.Position(5_000 + BEFORE.count("\n"), 0)
    found: list[types.TextEdit] = []
    calls = calls_in(lambda: found.extend(indent_pasted(large, types.Range(place, place))))
    assert len(found) == sum(map(bool, MANIFEST.split("\n")))
    assert calls < 1_000
