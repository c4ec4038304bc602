"""The recorded answers of a real API server, and the objects that they are about."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.kind_schema import KindSchema
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.openapi.validation.objects.mutations import Change

FOLDER = Path(__file__).parent / "recorded"
_ANSWERS = FOLDER / "answers.jsonl.gz"
LONGEST = 1500
"""The most characters that are kept of an answer: some print whole objects with generated values."""


class Recorded(Struct, frozen=True):
    """The API server's answer to a changed object, created or edited; empty if it accepted it."""

    seed: str
    verb: str
    change: Change
    answer: str


def documents(name: str) -> list[Any]:
    """Return the objects of a file."""
    parsed = parse_stream(Text((FOLDER / name).read_text(encoding="utf-8")))
    return [each.to_python() for each in parsed.documents]


@cache
def seeds() -> list[Any]:
    """Return the objects that are changed."""
    return documents("seeds.yaml")


def seed_name(value: JsonObject) -> str:
    """Return how an object is called here."""
    metadata: Any = value["metadata"]
    return f"{value['kind']}/{metadata['name']}"


@cache
def _index() -> SchemaIndex:
    text = (FOLDER / "kinds.yaml").read_text(encoding="utf-8")
    built_in = schema_index(kubernetes("1.36"))
    return schema_index(kubernetes("1.36"), (CrdSource([("kinds.yaml", text)], built_in.object_meta),))


def kind_of(value: JsonObject) -> KindSchema | None:
    """Return the kind of an object."""
    group, _, version = str(value["apiVersion"]).rpartition("/")
    return _index().find(group, version, str(value["kind"]))


def plain_mutations(seed: str) -> list[Change]:
    """Return the changes of an object that are written by hand."""
    found: Any = documents("changes.yaml")[0].get(seed, [])
    return [(each[0], "set" if len(each) > 1 else "remove", each[1] if len(each) > 1 else None) for each in found]


def recorded() -> Iterator[Recorded]:
    """Yield all answers."""
    with gzip.open(_ANSWERS, "rt", encoding="utf-8") as lines:
        for line in lines:
            seed, verb, answer, found = json.loads(line)
            for path, *new in found:
                change = path, "set" if new else "remove", new[0] if new else None
                yield Recorded(seed, verb, change, answer)


def write(rows: Iterable[Recorded]) -> None:
    """Write all answers, with those to the same text on one line, so that no other file is as small."""
    texts: dict[tuple[str, str, str], list[list[Any]]] = {}
    for each in rows:
        path, how, new = each.change
        texts.setdefault((each.seed, each.verb, each.answer), []).append([path] if how == "remove" else [path, new])
    lines = "".join(f"{json.dumps([*key, found], ensure_ascii=False)}\n" for key, found in texts.items())
    _ANSWERS.write_bytes(gzip.compress(lines.encode(), mtime=0))
