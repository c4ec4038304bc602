"""Which pack counts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.pack import reading
from kro_ls.openapi.sources.pack.building import Record, build
from kro_ls.openapi.sources.pack.policy import DEFAULT_POLICY
from tests.fixtures.packs import definition, version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROLE = GroupVersionKind("example.com", "v1", "Role")


def pack(*dates: str) -> bytes:
    role = definition("Role", version("v1", "name"))
    return build(Record("example/operator", f"{date} 1234567", role) for date in dates)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """The places of the pack in this package and of that in the other one."""
    package = tmp_path / "kro_ls_kinds"
    package.mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(reading, "OWN", tmp_path / "own.bin")
    for function in (reading.installed_pack, reading._newest):
        function.cache_clear()
    yield tmp_path / "own.bin", package / "kinds.bin"
    for function in (reading.installed_pack, reading._newest):
        function.cache_clear()


def source() -> str | None:
    found = reading.installed_pack(kubernetes(), DEFAULT_POLICY)
    kind = found.find(ROLE) if found else None
    return kind.source if kind else None


@pytest.mark.parametrize(
    ("own", "other", "counts"),
    [
        (pack("2026-08-22"), None, "2026-08"),
        (None, pack("2026-08-22"), "2026-08"),
        (pack("2026-08-22"), pack("2026-09-01"), "2026-09"),
        (pack("2026-10-22"), pack("2026-09-01"), "2026-10"),
        (b"of another version", pack("2026-09-01"), "2026-09"),
    ],
)
def test_the_newest_pack_counts(places: tuple[Path, Path], own: bytes | None, other: bytes | None, counts: str) -> None:
    for path, content in zip(places, (own, other), strict=True):
        if content is not None:
            path.write_bytes(content)
    assert source() == f"operator {counts}, bundled with kro-ls"


def test_without_a_pack_there_is_none(places: tuple[Path, Path]) -> None:
    assert reading.installed_pack(kubernetes(), DEFAULT_POLICY) is None


def test_a_damaged_pack_is_logged_and_counts_as_absent(
    places: tuple[Path, Path], caplog: pytest.LogCaptureFixture
) -> None:
    places[0].write_bytes(b"kro-ls kinds 1\n1")
    found = reading.installed_pack(kubernetes(), DEFAULT_POLICY)
    assert found is not None
    assert not caplog.records  # no kind was requested
    assert found.find(ROLE) is None
    assert list(found.names()) == []
    (record,) = caplog.records
    assert "own.bin is damaged" in record.getMessage()
    assert record.getMessage().endswith("; install it again")
