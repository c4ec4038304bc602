"""The answers of kro to published definitions, and to their upgrades for versions that refuse them.

`python -m tests.conformance.published` records it in `recorded/published.jsonl`, which `test_published.py` compares.
The texts are beside the repository; only digests of texts and of meanings are recorded. Only recording needs Go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from kro_ls.analysis.analysis import analyze
from kro_ls.repairs.upgrade import Upgrade, upgrade
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.nodes import to_python
from kro_ls.yaml_positions.text import Text
from tests.conformance.comparison import Case
from tests.conformance.record import RECORDED, write
from tests.conformance.recorded import oracle_version
from tests.conformance.schemas import schemas
from tests.conformance.upgrade_rows import digest
from tests.conformance.upgrades import meaning, ordered
from tests.oracle.oracle import ask
from tests.paths import CONFORMANCE

FILE = RECORDED / "published.jsonl"
VERSIONS = ("0.6.3", "0.7.1", "0.8.5", "0.9.0", "0.9.3", "0.9.4", "0.10.dev")
PAIRS = tuple(combinations(VERSIONS, 2))
FORMS = ("whole", "schema")
"""The whole definition, and its SimpleSchema alone: many definitions need kinds that are not beside the repository."""


@dataclass(frozen=True, slots=True)
class Published:
    """The text of a published definition."""

    name: str
    text: str

    def upgraded(self, target: str) -> Upgrade:
        """Return its upgrade for a version."""
        return upgrade(
            Document(
                "",
                None,
                Text(self.text),
                settings=Settings(version=oracle_version(target)),
                schemas=schemas(CONFORMANCE),
            )
        )


def published() -> tuple[Published, ...]:
    """Return the definitions beside the repository."""
    files = sorted((CONFORMANCE / "rgds").glob("*.yaml"))
    return tuple(Published(each.name, each.read_text(encoding="utf-8")) for each in files)


def to_upgrade(answer: Case) -> Iterator[tuple[str, str]]:
    """Yield the pairs of versions of which the older one accepts a definition and the newer one does not."""
    yield from ((old, new) for old, new in PAIRS if answer["means"].get(old) and not answer["means"].get(new))


def record() -> list[Case]:
    """Return the answers of the versions, each for a definition in one form."""
    texts = published()
    crds = {version: _crds(version, texts) for version in VERSIONS}
    return [each for form in FORMS for each in _of_form(form, texts, crds)]


def _of_form(form: str, texts: tuple[Published, ...], crds: dict[str, list[Case]]) -> list[Case]:
    found: list[Case] = [{"name": each.name, "form": form, "digest": digest(each.text)} for each in texts]
    means = {version: asked(version, form, [each.text for each in texts], crds[version]) for version in VERSIONS}
    for number, answer in enumerate(found):
        answer["means"] = {version: each[number] for version, each in means.items()}
        answer["upgraded"] = {}
    for version in VERSIONS:
        targets = [number for number, each in enumerate(found) if any(new == version for _, new in to_upgrade(each))]
        new_texts = [texts[number].upgraded(version).text.content for number in targets]
        answers = asked(version, form, new_texts, crds[version])
        for number, text, meant in zip(targets, new_texts, answers, strict=True):
            found[number]["upgraded"][version] = [digest(text), meant]
    return found


def _crds(version: str, texts: tuple[Published, ...]) -> list[Case]:
    """Return the CRDs that the definitions generate, because others of them need these."""
    crds: list[Case] = []
    while True:
        answers = ask(version, [{"rgd": each.text, "crds": crds} for each in texts], _OPTIONS)
        made = [each["crd"] for each in answers if each.get("crd")]
        if len(made) == len(crds):
            return made
        crds = made


_OPTIONS = ("--crds", str(CONFORMANCE / "crds"))


def asked(version: str, form: str, texts: list[str], crds: list[Case]) -> list[str | None]:
    """Return the digests of the meanings of texts in a version, None for those that it refuses."""
    if form == "whole":
        answers = [meaning(each) for each in ask(version, [{"rgd": each, "crds": crds} for each in texts], _OPTIONS)]
        return [None if "errors" in each else digest(json.dumps(each, sort_keys=True)) for each in answers]
    answers = ask(version, [_simple_schema(each) for each in texts])
    schema = [ordered(each.get("schema")) for each in answers]
    return [digest(json.dumps(each, sort_keys=True)) if each else None for each in schema]


def _simple_schema(text: str) -> dict[str, Any]:
    rgds = analyze(Text(text)).rgds
    schema = rgds[0].rgd.schema if rgds else None
    written = to_python(schema.section.node) if schema else None
    section = written if isinstance(written, dict) else {}
    return {"spec": section.get("spec") or {}, "types": section.get("types") or {}}


if __name__ == "__main__":
    write(FILE, record())
