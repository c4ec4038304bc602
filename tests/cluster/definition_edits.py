"""Edits of a definition whose kind exists: the answers of the API server and kro, and those of `kro-ls diff`."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from kro_ls.cli.main import cli
from tests.cluster.client import Client, Object, RefusedError

WAIT_SECONDS = 20.0
STAYS = 2.5
STAYS_AS_BEFORE = 12.0
"""The message about the previous edit stays until kro has seen this one; under load that takes some seconds."""
POLL = 0.3


def definition_edits(definition: Object) -> Iterator[tuple[str, Object]]:
    """Yield edited copies of a definition, each with the change; edits that are certainly applied come last."""
    spec: Any = definition["spec"]
    schema = spec["schema"]
    fields = schema.get("spec") or {}

    def edited(**changes: Any) -> Object:
        return {**definition, "spec": {**spec, "schema": {**schema, **changes}}}

    yield "another kind", edited(kind=f"{schema['kind']}Two")
    other = "Namespaced" if schema.get("scope") == "Cluster" else "Cluster"
    yield "another scope", edited(scope=other)
    for name, value in fields.items():
        if isinstance(value, str):
            yield f"without {name}", edited(spec={key: each for key, each in fields.items() if key != name})
            kind, _, markers = value.partition("|")
            narrower = "integer" if kind.strip() != "integer" else "boolean"
            yield f"{name} as {narrower}", edited(spec={**fields, name: narrower})
            yield f"{name} described", edited(spec={**fields, name: f'{kind}|{markers} description="told"'})
            break
    yield "a required field more", edited(spec={**fields, "addedAndRequired": "string | required=true"})
    yield "a field more", edited(spec={**fields, "added": "string"})


def outcomes(client: Client, definition: Object) -> dict[str, str]:
    """Return why each edit of a definition in the cluster is refused; an applied edit has an empty text."""
    found: dict[str, str] = {}
    for what, edited in definition_edits(definition):
        there = client.get(definition) or definition
        try:
            put = client.call("PUT", client.path(definition), {**there, "spec": edited["spec"]})
        except RefusedError as refused:
            found[what] = refused.message
        else:
            found[what] = _settled(client, put, frozenset(found.values()))
    return found


def _settled(client: Client, put: Object, said: frozenset[str]) -> str:
    """Return the message with which kro refuses an edit, an empty text if it applies it.

    `said` are the messages about previous edits.
    """
    generation, end = put["metadata"]["generation"], time.monotonic() + WAIT_SECONDS
    last, since = "", time.monotonic()
    while True:
        status = (client.get(put) or {}).get("status") or {}
        conditions = [each for each in status.get("conditions") or () if each.get("observedGeneration") == generation]
        if any(each["type"] == "Ready" and each["status"] == "True" for each in conditions):
            return ""
        failed = [str(each.get("message") or each["type"]) for each in conditions if each["status"] == "False"]
        now = time.monotonic()
        if repr(failed) != last:
            last, since = repr(failed), now
        stays = STAYS_AS_BEFORE if said.intersection(failed) else STAYS
        if (failed and now - since > stays) or now > end:
            return failed[0] if failed else "not applied"
        time.sleep(POLL)


def is_refused_by_diff(old: Object, new: Object) -> bool:
    """Whether `kro-ls diff` or `kro-ls check` reports that an edit is refused."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("old.yaml", "new.yaml")]
        for file, value in zip(files, (old, new), strict=True):
            file.write_text(json.dumps(value), encoding="utf-8")
        compared = CliRunner().invoke(cli, ["diff", *map(str, files)])
        checked = CliRunner().invoke(cli, ["check", "--format", "json", str(files[1])])
    return compared.exit_code != 0 or any(each["severity"] == "error" for each in json.loads(checked.stdout))
