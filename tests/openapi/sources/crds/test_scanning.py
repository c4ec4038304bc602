"""The scan says what parsing the whole text would say, or that it does not know."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.crds.scanning import scan_documents
from kro_ls.openapi.sources.crds.served_kinds import definitions_in, served_kinds
from kro_ls.yaml_positions.documents.stream import YamlStream, parse_stream
from kro_ls.yaml_positions.text import Text
from tests.openapi.sources.crds.fixtures import CRDS, WIDGET
from tests.paths import needs_conformance

GADGET = WIDGET.replace("Widget", "Gadget").replace("widgets", "gadgets")
ANNOTATED = WIDGET.replace(
    "metadata:\n",
    "metadata:\n  annotations:\n    a: |\n      kind: other\n    b: some\n      text\n"
    "    c: 'x: y'\n    d: \"z\n      w\"\n",
    1,
).replace(
    "                  type: integer\n",
    "                  type: integer\n                  description: \"with 'quotes'\n                    and: more\"\n"
    "                  enum: [a,\n                    b]\n                  default: ''\n",
)
LIST = "apiVersion: v1\nkind: List\nitems:\n" + "".join(
    "- " + text.rstrip().replace("\n", "\n  ") + "\n" for text in (WIDGET, GADGET)
)
TEXTS = (WIDGET, ANNOTATED, LIST, f"# both\n---\n{WIDGET}---\n{GADGET}", WIDGET.replace("\n", "\r\n"))


def scanned(text: str) -> list[GroupVersionKind] | None:
    """The kinds by the scan alone."""
    documents = scan_documents(text.encode())
    if any(kinds is None for _, kinds in documents):
        return None
    return [kind.name for _, kinds in documents for kind in kinds or ()]


def parsed(stream: YamlStream) -> Iterator[GroupVersionKind]:
    """The kinds of a text by its trees."""
    for document in stream.documents:
        for _, definition in definitions_in(document.to_python()):
            yield from (kind.name for kind in served_kinds(definition, "", {}))


@pytest.mark.parametrize("text", TEXTS)
def test_block_style_is_understood(text: str) -> None:
    found = scanned(text)
    assert found
    assert found == list(parsed(parse_stream(Text(text))))


@pytest.mark.parametrize("text", TEXTS)
def test_a_version_alone_is_the_same_kind(text: str) -> None:
    whole = {
        kind.name: kind
        for document in parse_stream(Text(text)).documents
        for _, definition in definitions_in(document.to_python())
        for kind in served_kinds(definition, "", {})
    }
    for document, kinds in scan_documents(text.encode()):
        for each in kinds or ():
            (definition,) = definitions_in(parse_stream(Text(each.alone(document).decode())).documents[0].to_python())
            (kind,) = served_kinds(definition[1], "", {})
            expected = whole[each.name]
            assert (kind.name, kind.plural, kind.namespaced) == (expected.name, expected.plural, expected.namespaced)
            assert (kind.subresources, kind.deprecation) == (expected.subresources, expected.deprecation)
            assert kind.declared_schema == expected.declared_schema


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  names:\n    kind: Widget\n    plural: widgets\n", "  names: {kind: Widget, plural: widgets}\n"),
        ("  group: example.com\n", "  group: &group example.com\n"),
        ("  group: example.com\n", '  group: "exa\\x6dple.com"\n'),
        ("      served: true\n", "      served: yes\n"),
        ("  scope: Namespaced\n", "  scope: Namespaced\n  group: other\n"),
        ("    - name: v1\n", "    - name: 1\n"),
    ],
)
def test_other_ways_to_write_it_are_left_to_the_parser(old: str, new: str) -> None:
    assert old in WIDGET
    assert scanned(WIDGET.replace(old, new, 1)) is None


_PIECES = (
    *"\"'{}[]#>&*!%@`\\,",
    *(
        "",
        ": ",
        "- ",
        " #",
        "\t",
        "|\n",
        "[a,\n",
        "&a ",
        "\n",
        "\r",
        "\n  ",
        "    ",
        "---\n",
        "...\n",
        '""',
        "''",
        "<<: ",
        "? ",
    ),
    *(
        "\u2028",
        "kind: X",
        "  scope: Cluster\n",
        '\n    x: "',
        "served: false\n",
        "    - name: v9\n      served: true\n",
    ),
)


@given(
    st.sampled_from(TEXTS),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 12), st.sampled_from(_PIECES)), min_size=1, max_size=3),
)
def test_of_any_valid_text_the_scan_says_what_parsing_says(text: str, edits: list[tuple[int, int, str]]) -> None:
    for place, length, piece in edits:
        start = place % (len(text) + 1)
        text = text[:start] + piece + text[start + length :]
    found = scanned(text)
    stream = parse_stream(Text(text))
    if found is not None and not stream.errors:
        assert found == list(parsed(stream))


@needs_conformance
def test_every_definition_of_well_known_projects_is_understood() -> None:
    for path in sorted(CRDS.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        assert scanned(text) == list(parsed(parse_stream(Text(text)))), path.name
