"""Custom resources: the API server's errors, and the fields that it prunes and defaults."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.validation.admission import admit
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.conformance.comparison import Case, Comparison, cases

ASPECTS = ("errors", "unknownFields", "defaulted")


def compare(directory: Path, file: Path) -> Iterator[Comparison]:
    """Compare `custom-resources.jsonl`; its definitions are in `custom-resource-crds.jsonl` and `crds/`.

    Some names have two definitions, and a case was recorded with one of them: the one that agrees best counts.
    """
    for case in cases(file):
        wanted = {**case, "errors": sorted(case["errors"]), "unknownFields": sorted(case["unknownFields"])}
        known = schemas(directory).get(f"{case['crd']} {case['object']['apiVersion']}", [])
        answers = [answer(case, schema) for schema in known]
        best: Case = max(answers, key=lambda found: sum(found[each] == wanted[each] for each in ASPECTS), default={})
        for aspect in ASPECTS:
            agrees = best.get(aspect) == wanted[aspect]
            yield Comparison(aspect, case["name"], agrees, f"ours {best.get(aspect)}, wanted {wanted[aspect]}")


def answer(case: Case, schema: JsonObject) -> Case:
    admission = admit(case["object"], schema)
    return {
        "errors": sorted(error.text for error in admission.errors),
        "unknownFields": [place_of(path) for path in admission.unknown_fields],
        "defaulted": admission.defaulted,
    }


@lru_cache(maxsize=4)
def schemas(directory: Path) -> dict[str, list[JsonObject]]:
    """Return the schemas of each definition and version, by `NAME APIVERSION`."""
    found: dict[str, list[JsonObject]] = {}
    for definition in definitions(directory):
        spec = definition["spec"]
        for version in spec["versions"]:
            name = f"{definition['metadata']['name']} {spec['group']}/{version['name']}"
            found.setdefault(name, []).append(version["schema"]["openAPIV3Schema"])
    return found


def definitions(directory: Path) -> Iterator[Any]:
    """Yield the recorded definitions, then those of the files."""
    recorded = directory / "custom-resource-crds.jsonl"
    if recorded.is_file():
        yield from cases(recorded)
    for path in sorted((directory / "crds").glob("*.yaml")):
        for document in parse_stream(Text(path.read_text(encoding="utf-8"))).documents:
            if document.root is not None:
                yield document.to_python()
