"""Changing a value in a YAML text and nothing else."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.render.changed_values import with_value
from kro_ls.render.yaml_text import to_yaml
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text

SOURCE = """\
# head
expect:
  state: ACTIVE   # state
  nodes:
    # above
    a: 'ready'  # a
    b: {state: pending, reason: "q"}
  objects:
    a:
      data: {k: 'v', "n": [1, 2]}
      text: |
        one
        two
    c:
    - x: 1 # one
      z: 2
    # two
    - x: 2
  status:
    url: "http"
    list: [ ]
    deep:
      e: {}
    none:
other: true # last
"""


def value_of(content: str) -> Any:
    (document,) = parse_stream(Text(content)).documents
    return document.to_python()


def changed(change: Callable[[dict[str, Any]], object], source: str = SOURCE) -> str:
    value = copy.deepcopy(value_of(source)["expect"])
    change(value)
    found = with_value(source, 0, ("expect",), value)
    assert found is not None
    assert value_of(found) == value_of(source) | {"expect": value}
    return found


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (lambda at: at.update(state="ERROR"), "state: ACTIVE   # state", "state: ERROR   # state"),
        (lambda at: at["nodes"].update(a="x: y"), "'ready'  # a", "'x: y'  # a"),
        (lambda at: at["nodes"].update(z="ready"), '"q"}\n', '"q"}\n    z: ready\n'),
        (lambda at: at["nodes"].pop("a"), "    a: 'ready'  # a\n", ""),
        (lambda at: at["nodes"]["b"].update(reason=None), '"q"', "null"),
        (lambda at: at["nodes"]["b"].pop("state"), "{state: pending, ", "{"),
        (lambda at: at["nodes"]["b"].update(more=["x"]), '"q"}', '"q", more: [x]}'),
        (lambda at: at["objects"]["a"]["data"].update(n=[1, 3]), "[1, 2]", "[1, 3]"),
        (lambda at: at["objects"]["a"]["data"].update(n=[1]), "[1, 2]", "[1]"),
        (lambda at: at["objects"]["a"].update(text="one\n2\n"), "        two\n", "        2\n"),
        (
            lambda at: at["objects"]["a"].update(text="one\n2"),
            "|\n        one\n        two",
            "|-\n        one\n        2",
        ),
        (lambda at: at["objects"]["a"].update(text={"k": 1}), " |\n        one\n        two", "\n        k: 1"),
        (lambda at: at["objects"]["c"].insert(0, {"x": 0}), "    c:\n", "    c:\n    - x: 0\n"),
        (lambda at: at["objects"]["c"].append({"x": 3}), "- x: 2\n", "- x: 2\n    - x: 3\n"),
        (lambda at: at["objects"]["c"].pop(), "    - x: 2\n", ""),
        (lambda at: at["objects"]["c"].pop(0), "    - x: 1 # one\n      z: 2\n", ""),
        (lambda at: at["objects"]["c"][0].pop("x"), "x: 1 # one\n      z", "z"),
        (lambda at: at["status"].update(list=[1]), "[ ]", "[1]"),
        (lambda at: at["status"].update(url=3), '"http"', "3"),
        (lambda at: at["status"].update(none="x"), "none:", "none: x"),
        (lambda at: at["status"].update(none={"a": 1}), "none:", "none:\n      a: 1"),
        (lambda at: at["status"].update(deep=None), "deep:\n      e: {}", "deep: null"),
        (lambda at: at["status"]["deep"].update(e={"k": "v"}), "e: {}", "e: {k: v}"),
        (lambda at: at.update(errors=["a: b"]), "other:", '  errors:\n  - "a: b"\nother:'),
    ],
)
def test_one_change(change: Callable[[dict[str, Any]], object], before: str, after: str) -> None:
    assert SOURCE.count(before) == 1
    assert changed(change) == SOURCE.replace(before, after)


def test_what_is_added_at_several_depths_stands_in_order() -> None:
    def change(at: dict[str, Any]) -> None:
        at["status"]["deep"]["g"] = 1
        at["status"].pop("none")
        at["status"]["h"] = 2
        at["i"] = 3

    assert changed(change) == SOURCE.replace("      e: {}\n    none:\n", "      e: {}\n      g: 1\n    h: 2\n  i: 3\n")


def test_a_text_without_a_last_line_end() -> None:
    assert changed(lambda at: at.update(b=2), "expect:\n  a: 1") == "expect:\n  a: 1\n  b: 2"


def test_an_alias_becomes_a_value() -> None:
    source = "base: &base {a: 1}\nexpect:\n  x: *base\n"
    assert changed(lambda at: at.update(x={"a": 2}), source) == source.replace("*base", "{a: 2}")


@pytest.mark.parametrize("source", ["expect: {a: &a 1}\nother: *a\n", "expect: {a: !!int 1}\n", "expect: {a: [}\n"])
def test_what_is_left_alone(source: str) -> None:
    assert with_value(source, 0, ("expect",), {"a": "x"}) is None


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from(["", "a", "yes", "1", "x: y", "# c", "one\ntwo\n", "é"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b c", "on", "2"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES, VALUES, st.sampled_from([to_yaml, lambda value: json.dumps(value, ensure_ascii=False) + "\n"]))
def test_any_value_becomes_any_other(before: Any, after: Any, written: Callable[[Any], str]) -> None:
    source = written({"first": before, "second": before})
    found = with_value(source, 0, ("first",), after)
    assert found is not None
    assert value_of(found) == {"first": after, "second": before}
    assert found.endswith(source[source.index("second" if "second" in source else '"second"') :])
