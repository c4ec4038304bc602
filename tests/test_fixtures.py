"""The language of the fixtures means what it says, and its checks fail when they should."""

from __future__ import annotations

import pytest

from tests.fixtures.definitions import rgd
from tests.fixtures.diagnostics import check_diagnostics
from tests.fixtures.features import check_definition, check_hover, check_references
from tests.fixtures.language import Mark, fixture, read_files

RESOURCE = """
resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${shema.metadata.name}"}}
"""
UNDER_SHEMA = " " * RESOURCE.split("\n")[3].index("shema") + "^^^^^ "
EXPECTED = f"{RESOURCE}{UNDER_SHEMA}unresolved-reference: did you mean 'schema'\n"
USED = rgd(
    """
- id: config
      ^^^^^^ declaration
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
- id: other
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${con$0fig.metadata.name}"}}
                                                                  ^^^^^^ use
"""
)


def test_a_fixture_is_a_file_with_a_cursor_and_marks() -> None:
    (file,) = read_files("\nab$0c: d\n^^^ key: it is told\n  # ^ value\ne: f\n")
    assert (file.name, file.content, file.cursor) == ("rgd.yaml", "abc: d\ne: f\n", 2)
    assert file.marks == (Mark(0, 0, 3, "key: it is told"), Mark(0, 4, 5, "value"))


def test_a_fixture_may_have_several_files() -> None:
    files = read_files("//- crd.yaml\na: b\n//- rgd.yaml\nc: $0d\n      ^ value\n")
    assert [(each.name, each.content, each.cursor) for each in files] == [
        ("crd.yaml", "a: b\n", None),
        ("rgd.yaml", "c: d\n", 3),
    ]
    assert fixture("//- crd.yaml\na: b\n//- rgd.yaml\nc: $0d\n").content == "c: d\n"


def test_an_expected_diagnostic_is_found() -> None:
    check_diagnostics(EXPECTED)


@pytest.mark.parametrize(
    "source",
    [
        RESOURCE,
        EXPECTED.replace("unresolved-reference", "type-mismatch"),
        EXPECTED.replace("did you mean", "do you mean"),
        EXPECTED.replace("^^^^^", "^^^^"),
        EXPECTED.replace("shema", "schema"),
    ],
)
def test_what_is_not_expected_or_not_found_fails(source: str) -> None:
    with pytest.raises(AssertionError):
        check_diagnostics(source)


def test_a_feature_that_finds_something_else_fails() -> None:
    found = fixture(USED)
    check_definition(found)
    check_references(found, "use")
    check_hover(found, "ConfigMap", about="config")
    with pytest.raises(AssertionError):
        check_definition(found, "use")
    with pytest.raises(AssertionError):
        check_references(fixture(USED.replace("^^^^^^ use", "^^^^^ use")), "use")
    with pytest.raises(AssertionError):
        check_hover(found, "Deployment")
    with pytest.raises(AssertionError):
        check_hover(found, about="other")
