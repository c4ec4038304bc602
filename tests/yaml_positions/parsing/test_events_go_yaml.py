"""What libyaml alone refuses or accepts is read as go-yaml reads it, at the places where it stands."""

import pytest
from ruamel.yaml.events import ScalarEvent

from kro_ls.yaml_positions.errors import ParseFailure
from kro_ls.yaml_positions.parsing.events import events


def scalars(text: str) -> list[tuple[str, str]]:
    """Return the value of each scalar, and its source."""
    found = [each for each in events(text) if type(each) is ScalarEvent]
    return [(each.value, text[each.start_mark.index : each.end_mark.index]) for each in found]


@pytest.mark.parametrize(
    ("text", "value", "source"),
    [
        (r'a: "it\'s \\\'x"', "it's \\'x", r'"it\'s \\\'x"'),
        ("a: [nginx:1.2]", "nginx:1.2", "nginx:1.2"),
        ("a: [b:]", "b:", "b:"),
        ("a: {b: http://c:80/d}", "http://c:80/d", "http://c:80/d"),
        ("\ufeffa: 1\n\ufeffb: c\ufeffd", "c\ufeffd", "c\ufeffd"),
    ],
)
def test_what_libyaml_refuses_or_skips(text: str, value: str, source: str) -> None:
    assert (value, source) in scalars(text)


def test_tags_keep_their_colons() -> None:
    tags = [each.tag for each in events("a: !<tag:yaml.org,2002:str> [b:c]\nd: !!int 1") if hasattr(each, "tag")]
    assert tags[2:] == ["tag:yaml.org,2002:str", None, None, "tag:yaml.org,2002:int"]


def test_many_of_them() -> None:
    text = "a: [" + ", ".join(f"b{number}:c" for number in range(2000)) + "]"
    assert [value for value, _ in scalars(text)] == ["a", *(f"b{number}:c" for number in range(2000))]


def test_an_escaped_slash() -> None:
    with pytest.raises(ParseFailure) as failure:
        list(events(r'a: "\\/b"' + "\n" + r'c: "\/d"'))
    assert (failure.value.problem_offset, failure.value.context_offset) == (14, 13)
    assert scalars(r'{"a": "\/b"}') == [("a", '"a"'), ("/b", r'"\/b"')]


@pytest.mark.parametrize("text", [r'a: "\z"', "a: [b:[c]]", "a: ]", r"a: 'it\'s'"])
def test_what_both_refuse(text: str) -> None:
    with pytest.raises(ParseFailure):
        list(events(text))
