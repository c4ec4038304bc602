"""Where a key or value that is being typed belongs."""

from __future__ import annotations

import pytest

from kro_ls.analysis.model.paths import Path
from kro_ls.cursor.open.half_typed import OpenYaml
from tests.fixtures.language import fixture

HEAD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema:
    apiVersion: v1
    kind: App
  resources:
    - id: first
      template:
        kind: Pod
        spec:
          containers:
            - name: x
"""
TAIL = "    - id: second\n      template: {}\n"
CONTAINER: Path = ("spec", "resources", 0, "template", "spec", "containers", 0)


def typed(text: str) -> OpenYaml | None:
    return fixture(text).cursor.open_yaml


@pytest.mark.parametrize("tail", ["", TAIL])
@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("              im$0", CONTAINER),
        ("              $0", CONTAINER),
        ("            $0", CONTAINER[:-1]),
        ("            - $0", (*CONTAINER[:-1], 1)),
        ("          $0", CONTAINER[:-2]),
        ("        $0", CONTAINER[:-3]),
        ("      rea$0", CONTAINER[:3]),
        ("    $0", CONTAINER[:2]),
    ],
)
def test_the_indentation_says_what_a_line_belongs_to(line: str, path: Path, tail: str) -> None:
    found = typed(f"{HEAD}{line}\n{tail}")
    assert found is not None
    assert (found.path, found.is_key) == (path, True)


@pytest.mark.parametrize(("line", "path"), [("  $0", ("spec",)), ("$0", ()), ("meta$0", ())])
def test_lines_after_the_last_resource_belong_to_the_frame(line: str, path: Path) -> None:
    found = typed(HEAD + TAIL + line)
    assert found is not None
    assert found.path == path
    assert typed(HEAD + line + "\n" + TAIL) is None, "not in the middle of the list"


def test_values() -> None:
    found = typed(HEAD + '              image: "ng$0inx"\n')
    assert found is not None
    assert (found.path, found.is_key, found.quoted) == ((*CONTAINER, "image"), False, True)
    assert set(found.siblings) == {"name", "image"}


def test_what_stands_beside_a_key_is_placed_in_the_document() -> None:
    text = HEAD + "              im$0\n              tty: true\n" + TAIL
    found = typed(text)
    assert found is not None
    assert set(found.siblings) == {"name", "tty"}
    content = text.replace("$0", "")
    for name, value in (("name", "x"), ("tty", "true")):
        span = found.placed_span(found.siblings[name].span)
        assert content[span.start : span.end] == value


@pytest.mark.parametrize(
    "line", ["# $0", "              image: a$0 b c: d", "              x: 'it$0 is'", "other text$0"]
)
def test_no_key_or_value_begins_here(line: str) -> None:
    found = typed(HEAD + line)
    assert found is None or not found.is_key
