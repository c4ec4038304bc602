"""The ids that a name may mean."""

from __future__ import annotations

from kro_ls.analysis.definition_queries import NO_CANDIDATES, Candidates
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.language import fixture


def candidates(*ids: str, outer: tuple[str, ...] = ()) -> Candidates:
    text = rgd_of_config_maps(*((each, "${schema.metadata.name}") for each in ids))
    (rgd,) = fixture(text).document.analysis.rgds
    return Candidates(rgd.table.blocks, outer)


def test_the_first_of_the_closest_is_meant_and_never_the_part_itself() -> None:
    found = candidates("database", "databases", "cache", outer=("database1",))
    assert found.closest("databas", None) == "database"
    assert found.closest("database2", None) == "database"
    assert found.closest("database2", "database") == "databases"
    assert found.closest("queue", None) is None


def test_ids_outside_come_last() -> None:
    assert candidates("cachee", outer=("caches",)).closest("cache", None) == "cachee"
    assert candidates("other", outer=("caches",)).closest("cache", None) == "caches"


def test_they_are_equal_where_the_ids_are() -> None:
    assert candidates("a", "b") == candidates("a", "b")
    assert candidates("a", "b") != candidates("b", "a")
    assert candidates("a") != candidates("a", outer=("b",))


def test_ids_are_found_in_them() -> None:
    found = candidates("a", outer=("b",))
    assert "a" in found
    assert "b" in found
    assert "c" not in found
    assert found
    assert not NO_CANDIDATES
