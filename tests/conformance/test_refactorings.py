"""Tests that refactorings of every shared definition keep the objects of the sample and of the minimal instance."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kro_ls.cursor.cursor import Cursor
from kro_ls.cursor.parts import parts
from kro_ls.features.actions.config_maps import (
    is_same_through_references,
    shared_text_refactorings,
    variable_refactorings,
)
from kro_ls.features.actions.copied_resources import copy_refactorings
from kro_ls.features.actions.schema_refactorings import schema_refactorings
from kro_ls.repairs.proof import brings_no_error
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.snapshot import file_snapshot
from kro_ls.yaml_positions.scalars.writing import edited
from kro_ls.yaml_positions.text import Text
from tests.conformance.schemas import schemas
from tests.fixtures.rendered import rendered_objects
from tests.paths import CONFORMANCE, needs_conformance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.features.actions.refactoring import Refactoring
    from kro_ls.workspace.documents import Document

_SOURCES = (copy_refactorings, variable_refactorings, shared_text_refactorings, schema_refactorings)
_WITH_ANOTHER_INSTANCE = "which is required"


@needs_conformance
def test_the_same_objects_come_out(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = schemas(CONFORMANCE)
    counts: Counter[str] = Counter()
    for file in sorted((CONFORMANCE / "rgds").glob("*.yaml")):
        content = file.read_text(encoding="utf-8")
        document = file_snapshot(Path("rgd.yaml"), Text(content), kinds).document
        if any(each.severity is Severity.ERROR for each in document.diagnosis.diagnostics):
            continue
        for name, offered in _offered(document):
            if _WITH_ANOTHER_INSTANCE in offered.title:
                continue
            text = edited(content, offered.replacements)
            for only_required in (False, True):
                try:
                    before = rendered_objects(content, kinds=kinds, only_required=only_required)
                except AssertionError:
                    continue  # no such instance can be invented
                after = rendered_objects(text, kinds=kinds, only_required=only_required)
                assert before == after or is_same_through_references(before, after), (file.name, offered.title, text)
            counts[name] += 1
    with capsys.disabled():
        print(f"\nrefactorings that give the same objects: {dict(counts)}", end="")
    assert counts.keys() == {each.__name__ for each in _SOURCES}


def _offered(document: Document) -> Iterator[tuple[str, Refactoring]]:
    """Yield the refactorings at the start of a resource, at each expression and at each `env`, each title once."""
    seen = set()
    content = document.text.content
    for part in (part for rgd in document.analysis.rgds[:1] for part in parts(rgd)):
        whole = part.span(part.part.node.span)
        places = [whole.start, *(part.span(each.scalar.span).start + 4 for each in part.part.expressions)]
        places += [at for at in range(whole.start, whole.end) if content.startswith(("env:", "image:"), at)]
        places += [at + len("image: ") for at in places if content.startswith("image:", at)]
        for place in places:
            for source in _SOURCES:
                for each in source(Cursor(document, place)):
                    if (part.part, each.title) not in seen and brings_no_error(document, each.replacements):
                        seen.add((part.part, each.title))
                        yield source.__name__, each
