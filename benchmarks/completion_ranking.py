"""How often completion in expressions has the right name first, or among the first five.

Each name in a definition from practice is removed, with the rest of its expression, and completion is asked for at the
place where it began. One half of the definitions, chosen by a hash of their names, is for tuning the order; the other
half counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING
from zlib import crc32

from benchmarks.connection import ROOT
from benchmarks.report import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.workspace.documents import Document

CONFORMANCE = ROOT.parent / "shared" / "conformance"
EXAMPLES = ROOT / "examples"
NEW_WORD, TWO_LETTERS = 0, 2


@dataclass(frozen=True, slots=True)
class Case:
    """A definition to ask about; `accepted` is whether kro accepts it."""

    name: str
    text: str
    accepted: bool
    schemas: SchemaIndex | None = None

    @property
    def is_held_out(self) -> bool:
        """Whether the case is in the half that is not used for tuning."""
        return crc32(self.name.encode()) % 2 == 1


@dataclass(frozen=True, slots=True)
class Answer:
    """The place of the right name in the list, from 1; 0 if it was not offered. `above` are the names before it."""

    case: Case
    name: str
    line: str
    rank: int
    above: tuple[str, ...]


def cases(*, packed: bool = False) -> list[Case]:
    """Return the definitions: the examples and, if available, those for which kro's answers are recorded.

    With `packed`, these can also use the kinds of the pack.
    """
    import json

    from benchmarks.in_process import is_accepted, kinds_with

    found = [
        Case(path.name, text, accepted=is_accepted(text))
        for path in sorted(EXAMPLES.glob("*.yaml"))
        if (text := path.read_text(encoding="utf-8"))
    ]
    if CONFORMANCE.is_dir():
        schemas = kinds_with(CONFORMANCE / "crds", packed=packed)
        for line in (CONFORMANCE / "rgds.jsonl").read_text(encoding="utf-8").splitlines():
            answer = json.loads(line)
            text = (CONFORMANCE / "rgds" / answer["file"]).read_text(encoding="utf-8")
            found.append(Case(answer["file"], text, answer["accepted"], schemas))
    return found


def answers(case: Case, typed: int, every: int = 1) -> Iterator[Answer]:
    """Return what is offered for the names of a case, or for one in several of them."""
    from benchmarks.in_process import offered, opened, words

    document = opened(case.text, case.schemas)
    for word in [word for word in words(document) if word.is_asked and len(word.name) > typed][::every]:
        labels = offered(document, word, typed)
        rank = labels.index(word.name) + 1 if word.name in labels else 0
        yield Answer(
            case, word.name, _line_before(document, word.start), rank, tuple(labels[: rank - 1 if rank else 5])
        )


def _line_before(document: Document, offset: int) -> str:
    content = document.text.content
    return content[content.rfind("\n", 0, offset) + 1 : offset].strip()


def share_within(found: list[Answer], rank: int) -> float:
    """Return the percentage of answers that have the right name among the first few."""
    return 100 * fmean(0 < answer.rank <= rank for answer in found)


def reciprocal_rank(found: list[Answer]) -> float:
    """Return the mean of 1, 1/2, 1/3 ... for a right name in the first, second, third ... place."""
    return fmean(1 / answer.rank if answer.rank else 0.0 for answer in found)


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    known = cases()
    every = 5 if quick else 1
    for half, is_held_out in (("held out", True), ("to tune with", False)):
        half_of_all = [case for case in known if case.is_held_out is is_held_out]
        for typed, bars in ((NEW_WORD, (70.0, 95.0, 60.0, 90.0)), (TWO_LETTERS, (97.0, 99.5, None, None))):
            found = [answer for case in half_of_all for answer in answers(case, typed, every)]
            place = f"{half}, {'at the start of a word' if typed == 0 else 'after two letters'}"
            accepted = [answer for answer in found if answer.case.accepted]
            yield _row(f"accepted, {place}: first", share_within(accepted, 1), bars[0], accepted)
            yield _row(f"accepted, {place}: among five", share_within(accepted, 5), bars[1], accepted)
            yield _row(f"all, {place}: first", share_within(found, 1), bars[2], found)
            yield _row(f"all, {place}: among five", share_within(found, 5), bars[3], found)
            if typed == NEW_WORD:
                yield _row(
                    f"accepted, {place}: mean reciprocal rank, x 100", 100 * reciprocal_rank(accepted), 80.0, accepted
                )
    packed = [case for case in cases(packed=True) if case.is_held_out]
    for typed, where in ((NEW_WORD, "at the start of a word"), (TWO_LETTERS, "after two letters")):
        found = [answer for case in packed for answer in answers(case, typed, every)]
        for what, rank in (("first", 1), ("among five", 5)):
            yield _row(f"all, held out, {where}, with the pack: {what}", share_within(found, rank), None, found)


def _row(what: str, value: float, bar: float | None, found: list[Answer]) -> Row:
    return Row("completion_ranking", f"{what} ({len(found):,} names)", "%", value, bar=bar, judged=value, at_least=True)
