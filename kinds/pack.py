"""Builds the pack of well-known kinds from a folder of definitions, and its page of licences.

The folder has files `crds/*.jsonl` with one definition per line: `{"src": project, "ver": version, "crd": definition}`.
`lock.json` lists the projects and versions of a release, with the digest of their definitions, their licence and the
notice that a copy needs. This module uses the standard library alone, like the build of a distribution.
"""

from __future__ import annotations

import json
from collections import defaultdict
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kro_ls.openapi.sources.container import compact_json
from kro_ls.openapi.sources.pack.building import Record, build

LOCK = Path(__file__).with_name("lock.json")
APACHE = Path(__file__).parents[1] / "LICENSE"
LICENCES = "KINDS.txt"
"""The name of the page of licences, beside the pack."""

_RULE = f"\n\n{'-' * 78}\n\n"
_MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE."""


class Locked(NamedTuple):
    """An entry of the lock file: the definitions of one project, or those of a collection with some groups."""

    project: str
    groups: tuple[str, ...]
    """Patterns of the groups in this entry; none means all groups that no entry before this one has."""
    licence: str
    notice: str
    """The notice that a copy needs; empty if the licence is enough."""
    version: str = ""
    definitions: int = 0
    digest: str = ""


class SourcesError(Exception):
    """The folder cannot be used, for the reason in the message."""


def read_records(folder: Path) -> list[Record]:
    """Return the definitions of a folder. Raises SourcesError."""
    found = []
    files = sorted((folder / "crds").glob("*.jsonl"))
    if not files:
        raise SourcesError(f"{folder} has no crds/*.jsonl; name a folder of definitions")
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    value = json.loads(line)
                    found.append(Record(value["src"], value["ver"], value["crd"]))
                except (ValueError, KeyError, TypeError) as error:
                    raise SourcesError(f"{file}, line {number}: no definition ({error!r})") from error
    return found


def read_lock() -> list[Locked]:
    """Return the entries of the lock file, in their order."""
    entries = json.loads(LOCK.read_text(encoding="utf-8"))
    return [Locked(**{**each, "groups": tuple(each["groups"])}) for each in entries]


def locked(records: list[Record], lock: list[Locked]) -> list[Locked]:
    """Return the lock file for some definitions, with the licences and notices of the previous one."""
    by_entry: dict[Locked, list[Record]] = defaultdict(list)
    new = {project: Locked(project, (), "", "") for project in sorted({record.project for record in records})}
    for record in records:
        group = record.definition["spec"]["group"]  # type: ignore[index, call-overload]
        by_entry[next((each for each in lock if _is_of(each, record, str(group))), new[record.project])].append(record)
    entries = (*lock, *(each for each in new.values() if each in by_entry))
    return [_measured(each, by_entry[each]) for each in entries if each in by_entry]


def _is_of(entry: Locked, record: Record, group: str) -> bool:
    return entry.project == record.project and (
        not entry.groups or any(fnmatchcase(group, pattern) for pattern in entry.groups)
    )


def _measured(entry: Locked, records: list[Record]) -> Locked:
    texts = sorted(compact_json(record.definition) for record in records)
    versions = ", ".join(sorted({record.release for record in records}))
    return entry._replace(version=versions, definitions=len(texts), digest=sha256(b"\n".join(texts)).hexdigest())


def write_lock(entries: list[Locked]) -> None:
    """Write the lock file. Raises SourcesError for an entry without a licence."""
    for each in entries:
        if not each.licence:
            raise SourcesError(f"{LOCK} has no licence for {each.project}; add an entry with it")
    rows = ",\n".join(json.dumps(each._asdict(), ensure_ascii=False) for each in entries)
    LOCK.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


def differences(records: list[Record]) -> list[str]:
    """Return a sentence for each project whose definitions in a folder differ from the lock file."""
    lock = read_lock()
    before = {(each.project, each.groups): each for each in lock}
    after = {(each.project, each.groups): each for each in locked(records, lock)}
    return [
        f"{key[0]}: the lock file has {_said(before.get(key))}, the folder {_said(after.get(key))}"
        for key in sorted({*before, *after})
        if before.get(key) != after.get(key)
    ]


def _said(entry: Locked | None) -> str:
    return f"{entry.definitions} definitions of {entry.version} ({entry.digest[:12]})" if entry else "nothing"


def write(records: list[Record], target: Path) -> None:
    """Write the pack of some definitions, and the page of their licences beside it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_name(LICENCES).write_text(licences(locked(records, read_lock())), encoding="utf-8", newline="\n")
    target.write_bytes(build(records))


def licences(entries: list[Locked]) -> str:
    """Return the page of licences."""
    head = (
        "The kinds beside this file are made from the CustomResourceDefinitions of the projects below. Of each\n"
        "description they keep the first sentence; examples and titles are left out, and equal parts are stored once."
    )
    parts = [head]
    for each in entries:
        of_groups = f" ({', '.join(each.groups)})" if each.groups else ""
        lines = [f"{each.project}{of_groups} {each.version}", f"Licence: {each.licence or 'unknown'}", each.notice]
        parts.append("\n".join(filter(None, lines)))
    texts = ["\n\n".join(parts), f"MIT License\n\n{_MIT}", APACHE.read_text(encoding="utf-8").strip()]
    return _RULE.join(texts) + "\n"
