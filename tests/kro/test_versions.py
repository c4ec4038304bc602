"""Versions of kro, and that what the history names exists."""

from __future__ import annotations

import re

import pytest

from kro_ls.kro.environment import FUNCTIONS, LIBRARIES, MACROS
from kro_ls.kro.identifiers import RESERVED_WORDS
from kro_ls.kro.rgd_schema import REFERENCE_METADATA_FIELDS, RESOURCE_FIELDS, SCHEMA_FIELDS
from kro_ls.kro.simple_schema_words import MARKERS, TYPES
from kro_ls.kro.versions import history
from kro_ls.kro.versions.version import BEFORE_0_9_4, NEWEST, NEXT, OLDEST, VERSIONS, Version, Versions, parse_version


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.8.5", "0.8.5"),
        ("v0.9.3", "0.9.3"),
        ("0.9", "0.9.4"),
        ("0.8", "0.8.5"),
        ("0.10", "0.10.0"),
        ("0.10.0-rc.0", "0.10.0"),
        ("0.9.4.dev", "0.9.4.dev"),
    ],
)
def test_a_version_is_read(text: str, expected: str) -> None:
    assert str(parse_version(text)) == expected


@pytest.mark.parametrize("text", ["", "0", "0.9.9", "0.95", "1.0", "newest"])
def test_an_unknown_version_is_refused_with_what_is_known(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"known are {OLDEST} to {NEWEST}, and {NEXT}")):
        parse_version(text)


def test_versions_are_in_order() -> None:
    assert list(VERSIONS) == sorted(VERSIONS)
    assert Version(0, 9, 3) < BEFORE_0_9_4 < NEWEST < Version(0, 10, 0)


def test_a_range_has_its_first_version_and_not_its_last() -> None:
    found = Versions(since=Version(0, 8, 0), before=Version(0, 9, 0))
    assert [str(each) for each in VERSIONS if each in found] == [f"0.8.{patch}" for patch in range(6)]
    assert all(each in Versions() for each in VERSIONS)


def test_what_the_history_names_is_there_today() -> None:
    functions = {*FUNCTIONS, *MACROS, "cel.bind", "runtime.newCondition", "runtime.condition"}
    overloads = {overload.id for each in LIBRARIES.functions.values() for overload in each.overloads}
    assert history.FUNCTIONS.keys() <= functions
    assert history.OVERLOADS.keys() <= overloads
    assert history.SCHEMA_FIELDS.keys() <= set(SCHEMA_FIELDS)
    assert history.RESOURCE_FIELDS.keys() <= set(RESOURCE_FIELDS)
    assert history.REFERENCE_FIELDS.keys() <= set(REFERENCE_METADATA_FIELDS)
    assert history.MARKERS.keys() <= MARKERS.keys()
    assert history.TYPES.keys() <= TYPES.keys()
    for word, first in history.LATER_RESERVED_WORDS.items():
        assert (word in RESERVED_WORDS) is (first <= NEWEST)
    assert set(history.FORMER_NAMES.values()) <= set(RESOURCE_FIELDS)
