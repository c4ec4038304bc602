"""The folder of definitions that the pack is built from, and its lock file."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import kinds.pack
from kinds.pack import LICENCES, SourcesError, differences, licences, locked, read_lock, read_records, write, write_lock
from kro_ls.openapi.sources.container import PACK, Container
from tests.fixtures.packs import definition, version

ROLE = definition("Role", version("v1", "policy"))
VAULT = definition("Vault", version("v1", "name"), group="keyvault.azure.com")


def folder(path: Path, *lines: object) -> Path:
    (path / "crds").mkdir()
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (path / "crds" / "all.jsonl").write_text(text, encoding="utf-8")
    return path


def line(crd: object, project: str = "example/operator", release: str = "2026-08-22 1234567") -> dict[str, object]:
    return {"src": project, "ver": release, "crd": crd}


@pytest.fixture
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "lock.json"
    entries = [
        {"project": "example/catalog", "groups": ["*.azure.com"], "licence": "MIT", "notice": "Copyright A"},
        {"project": "example/catalog", "groups": [], "licence": "Apache-2.0", "notice": ""},
    ]
    path.write_text(json.dumps(entries), encoding="utf-8")
    monkeypatch.setattr(kinds.pack, "LOCK", path)
    return path


def test_a_pack_is_written_with_its_page_of_licences(tmp_path: Path, lock: Path) -> None:
    sources = folder(tmp_path, line(ROLE, "example/catalog"), line(VAULT, "example/catalog"))
    target = tmp_path / "out" / "kinds.bin"
    write(read_records(sources), target)
    assert set(Container(target, PACK).header["kinds"]) == {"example.com", "keyvault.azure.com"}
    page = target.with_name(LICENCES).read_text(encoding="utf-8")
    assert "example/catalog (*.azure.com) 2026-08-22 1234567\nLicence: MIT\nCopyright A\n" in page
    assert "example/catalog 2026-08-22 1234567\nLicence: Apache-2.0\n" in page
    assert "Permission is hereby granted" in page
    assert "Apache License" in page


def test_the_lock_file_says_what_has_changed(tmp_path: Path, lock: Path) -> None:
    records = read_records(folder(tmp_path, line(ROLE, "example/catalog"), line(VAULT, "example/catalog")))
    write_lock(locked(records, read_lock()))
    assert differences(records) == []
    assert [each.definitions for each in read_lock()] == [1, 1]
    (found,) = differences(records[1:])
    assert re.fullmatch(
        r"example/catalog: the lock file has 1 definitions of 2026-08-22 1234567 \(\w{12}\), the folder nothing", found
    )


def test_a_project_needs_a_licence(tmp_path: Path, lock: Path) -> None:
    records = read_records(folder(tmp_path, line(ROLE)))
    with pytest.raises(SourcesError, match=r"lock\.json has no licence for example/operator; add an entry with it"):
        write_lock(locked(records, read_lock()))


@pytest.mark.parametrize("wrong", ["{", "[]", '{"src": "a"}'])
def test_a_line_that_is_no_definition_is_named(tmp_path: Path, wrong: str) -> None:
    sources = folder(tmp_path, line(ROLE), wrong)
    with pytest.raises(SourcesError, match=r"all\.jsonl, line 2: no definition"):
        read_records(sources)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourcesError, match=r"has no crds/\*\.jsonl"):
        read_records(tmp_path)


def test_the_lock_file_of_the_project_is_complete() -> None:
    entries = read_lock()
    assert {each.licence for each in entries} == {"Apache-2.0", "MIT"}
    assert all(each.notice for each in entries if each.licence == "MIT")
    assert all(each.version and each.definitions and each.digest for each in entries)
    assert all(each.notice in licences(entries) for each in entries)


def test_the_distribution_has_the_date_of_its_newest_part() -> None:
    newest = max(each.version[:10] for each in read_lock() if re.match(r"\d{4}-", each.version))
    year, month, day = map(int, newest.split("-"))
    project = tomllib.loads(Path(kinds.pack.__file__).with_name("pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == f"{year}.{month}.{day}"
