"""Formatting of expressions: the usual blanks and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from kro_ls.cel.syntax.formatting import usual_blanks
from kro_ls.features.expression_formatting import format_closed, format_expressions
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.features.field_renaming import applied
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture
from tests.paths import EXAMPLES


def formatted(text: str) -> str:
    for blank in reversed(usual_blanks(text)):
        text = text[: blank.start] + blank.text + text[blank.end :]
    return text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (" a+b ", "a + b"),
        ("a ?b:c", "a ? b : c"),
        ("{ 'a' :1,'b': 2 }", "{'a': 1, 'b': 2}"),
        ("f( a ,b )[ 0 ] . c", "f(a, b)[0].c"),
        ("-a- -b", "-a - -b"),
        ("! a&&!b", "!a && !b"),
        ("a.?b[? 0].orValue( -1 )", "a.?b[?0].orValue(-1)"),
        ("[?a,  b]", "[?a, b]"),
        ("{?'a':b?c:d}", "{?'a': b ? c : d}"),
        ("a in[1,2]", "a in [1, 2]"),
        ("a // b+c\n  +d", "a // b+c\n  + d"),
        ("a &&\n    b", "a &&\n    b"),
        ("'a+b'+\"c ,d\"", "'a+b' + \"c ,d\""),
        ("a +", "a +"),
        ("T{a:1}", "T{a: 1}"),
        ("size (a)", "size(a)"),
        ("x.map( i,i==1?{ 'a':[ 1 ] }:{} )", "x.map(i, i == 1 ? {'a': [1]} : {})"),
    ],
)
def test_blanks(text: str, wanted: str) -> None:
    assert formatted(text) == wanted
    assert formatted(wanted) == wanted


SOURCE = rgd(
    """
- id: a
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "x-${ schema.spec.name+'a' }-${schema.spec.name }"}
    data:
      a: ${schema.spec.name+"b"=="c"?'d':'e'}   # a+b
      b: |
        ${ schema.spec.name+
           'x'
           // kept+as it is
        }
      c: plain+text
""",
)


def test_a_document_is_formatted_where_yaml_allows_it() -> None:
    document = fixture(SOURCE).document
    text = applied(document, format_expressions(document))
    assert "\"x-${schema.spec.name + 'a'}-${schema.spec.name}\"" in text
    # `: ` would end a plain scalar.
    assert "${schema.spec.name + \"b\" == \"c\" ? 'd':'e'}   # a+b" in text
    assert "// kept+as it is\n" in text
    assert "c: plain+text" in text
    assert format_expressions(Document("file:///rgd.yaml", 1, Text(text))) == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_examples_are_formatted(path: Path) -> None:
    assert format_expressions(Document("file:///rgd.yaml", 1, Text(path.read_text(encoding="utf-8")))) == []


def test_a_range_is_formatted_alone() -> None:
    document = fixture(SOURCE).document
    line = next(number for number, each in enumerate(SOURCE.split("\n")) if 'name: "x-' in each)
    found = format_expressions(document, types.Range(types.Position(line, 0), types.Position(line, 1)))
    assert {each.range.start.line for each in found} == {line}


@pytest.mark.parametrize(
    ("line", "changed"), [("a: ${1+1}$0", True), ("a: ${{'b':1}$0", False), ("a: ${1+1$0}", False), ("a: }$0", False)]
)
def test_an_expression_is_formatted_when_it_is_closed(line: str, changed: bool) -> None:
    found = fixture(SOURCE.replace("c: plain+text", line))
    assert bool(format_closed(found.cursor)) == changed
