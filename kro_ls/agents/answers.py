"""The answers of tools: short typed values, from which the protocol's output schemas are generated.

They are dataclasses without slots, since the SDK takes a slot for a default value. Lines and columns count from 1,
columns in characters. `left_out` says how much more there is than an answer shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from kro_ls.agents.arguments import MOST_ITEMS, first, short
from kro_ls.repairs.proof import fixes
from kro_ls.rules.diagnostics import Severity
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.rules import diagnostics
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text


@dataclass(frozen=True)
class Range:
    """A part of a text; the end is the first character after it."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Replacement:
    """A new text for a part of the text as it is."""

    range: Range
    new_text: str


@dataclass(frozen=True)
class Fix:
    """A change that mends a problem: all replacements belong together."""

    title: str
    replacements: list[Replacement]


@dataclass(frozen=True)
class Problem:
    """A diagnostic. An error means that kro refuses the definition; `explain` describes its code."""

    code: str
    severity: str
    message: str
    file: str
    range: Range
    marked: str
    kro_message: str
    fixes: list[Fix]


@dataclass(frozen=True)
class CheckAnswer:
    """What is wrong with a text, a file, or the files of a folder."""

    verdict: Literal["accepted", "refused", "nothing to check"]
    summary: str
    problems: list[Problem]
    left_out: int


@dataclass(frozen=True)
class ExplainedRule:
    """What a code means, with a wrong and a right example; both are empty where nothing short can show it."""

    code: str
    severity: str
    summary: str
    explanation: str
    wrong: str
    right: str


@dataclass(frozen=True)
class ExplainAnswer:
    """The rules that were asked about, or that report a message of kro."""

    rules: list[ExplainedRule]
    left_out: int


@dataclass(frozen=True)
class CompletionChoice:
    """What can be written: `new_text` takes the place of the range of the answer."""

    label: str
    detail: str
    new_text: str


@dataclass(frozen=True)
class CompleteAnswer:
    """What can be written at a position, the likeliest first."""

    replaces: Range | None
    choices: list[CompletionChoice]
    left_out: int


@dataclass(frozen=True)
class HoverAnswer:
    """What stands at a position, as Markdown: types, documentation; empty where nothing is known."""

    markdown: str
    range: Range | None


@dataclass(frozen=True)
class PreviewedNode:
    """What became of a resource, and why it is not ready."""

    id: str
    state: str
    objects: int
    reason: str
    waits_for: str


@dataclass(frozen=True)
class RenderedObject:
    """An object that kro would apply, as YAML."""

    node: str
    yaml: str


@dataclass(frozen=True)
class PreviewAnswer:
    """What kro would make of an instance. `state` is that of the instance in the end; REFUSED if kro or the API server
    refuses the definition or the instance, for the `problems`.
    """

    state: str
    settled: bool
    instance: str
    nodes: list[PreviewedNode]
    status: dict[str, Any]
    objects: list[RenderedObject]
    left_out: list[str]
    problems: list[Problem]
    errors: list[str]


@dataclass(frozen=True)
class KindChange:
    """What became of a kind, and whom it hits. Each entry has `message`, and where it is."""

    group: str
    kind: str
    what: str
    summary: str
    breaking: list[dict[str, Any]]
    other_changes: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    deleted: list[dict[str, Any]]
    instances: list[dict[str, Any]]


@dataclass(frozen=True)
class DiffAnswer:
    """How kinds change. `is_refused`: kro or the API server does not accept the change as it is."""

    is_refused: bool
    kinds: list[KindChange]
    left_out: int


@dataclass(frozen=True)
class UpgradeStep:
    """A change that was made, and the message of the problem that it mended."""

    title: str
    message: str


@dataclass(frozen=True)
class UpgradeAnswer:
    """A definition rewritten for a version of kro. `left` is what somebody has to decide.

    `text` is the new text, empty where nothing changed or it is too long: then `difference` shows the changes.
    """

    version: str
    written_for: str
    steps: list[UpgradeStep]
    left: list[Problem]
    text: str
    difference: str
    is_written: bool
    left_out: int


@dataclass(frozen=True)
class KindField:
    """A field of a kind, or of one of its fields."""

    name: str
    type: str
    is_required: bool
    description: str
    facts: list[str]


@dataclass(frozen=True)
class KindAnswer:
    """A kind, or a field of it, with the fields below it."""

    api_version: str
    kind: str
    plural: str
    scope: str
    other_versions: list[str]
    other_kinds: list[str]
    field: str
    type: str
    description: str
    facts: list[str]
    fields: list[KindField]
    left_out: int


@dataclass(frozen=True)
class NewAnswer:
    """A first definition. `differences` lists where its objects differ from the manifests; it should be empty."""

    text: str
    instances: str
    problems: list[Problem]
    differences: list[str]
    written_to: str
    left_out: int


_RANKS: Final = {severity: rank for rank, severity in enumerate(Severity)}
_MOST_FIXES: Final = 2
_LONGEST_FIX: Final = 1_000
_MOST_PROVED: Final = 10
"""Of so many errors are the fixes looked for, which means to check the definition again with each."""


def range_of(text: Text, span: Span) -> Range:
    """Return where a span is, lines and columns counted from 1."""
    start, end = text.position(span.start), text.position(span.end)
    return Range(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def problems_of(
    document: Document, found: Iterable[diagnostics.Diagnostic], file: str, most: int = MOST_ITEMS
) -> tuple[list[Problem], int]:
    """Return diagnostics of a document, the errors first, and how many more there are."""
    shown, left_out = first(sorted(found, key=lambda each: (_RANKS[each.severity], each.span.start)), most)
    problems = []
    for number, each in enumerate(shown):
        is_proved = each.severity is Severity.ERROR and number < _MOST_PROVED and bool(document.analysis.rgds)
        offered = fixes(document, each) if is_proved else each.fixes
        problems.append(_problem(document.text, each, offered[:_MOST_FIXES], file))
    return problems, left_out


def _problem(text: Text, found: diagnostics.Diagnostic, offered: Iterable[diagnostics.Fix], file: str) -> Problem:
    marked = text.content[found.span.start : found.span.end]
    small = (each for each in offered if sum(len(edit.text) for edit in each.replacements) <= _LONGEST_FIX)
    return Problem(
        found.code,
        found.severity.value,
        short(found.message),
        file,
        range_of(text, found.span),
        shortened(marked),
        short(found.kro_message or ""),
        [_fix(text, each) for each in small],
    )


def _fix(text: Text, fix: diagnostics.Fix) -> Fix:
    return Fix(fix.title, [Replacement(range_of(text, each.span), each.text) for each in fix.replacements])
