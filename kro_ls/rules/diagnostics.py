"""What a rule says: findings inside one part of a ResourceGraphDefinition, and diagnostics placed in a document.

A finding's spans are relative to the text of the part it was found in, so that it can be remembered while the part
moves. Placing a finding in a document (`diagnosis.py`) turns it into a diagnostic with document offsets.
All offsets count code points from 0; spans are half-open.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.kro.versions.version import ALL, Versions
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.positions import Span


class Severity(StrEnum):
    """How bad a diagnostic is. `ERROR` means exactly: kro would refuse this."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class ResourceDeclaration(Struct, frozen=True, gc=False):
    """Stands for the place where a resource of the same document declares its id."""

    id: str


class Section(Enum):
    """A part of an RGD that is not a resource."""

    FRAME = "what stands outside of the schema section and the resources"
    SCHEMA = "the schema section"


Part: TypeAlias = int | Section
"""A part of an RGD: a resource by its number in `spec.resources`, or a section."""


class PartSpan(Struct, frozen=True, gc=False):
    """A span of the text of another part."""

    part: Part
    span: Span


class Related(Struct, frozen=True, gc=False):
    """A further place that explains a finding: a span in the same part, or one in another."""

    target: Span | ResourceDeclaration | PartSpan
    message: str


class PartReplacement(Replacement, frozen=True):
    """New text for a span of another part than the one that its fix is found in."""

    part: Part


class Fix(Struct, frozen=True, gc=False):
    """A quick fix: what the editor's menu shows, and the replacements that it makes.

    `keeps_meaning` tells that nothing has to be decided: an older form becomes the newer one for the same.
    """

    title: str
    replacements: tuple[Replacement, ...]
    keeps_meaning: bool = False


class Finding(Struct, frozen=True, gc=False):
    """One thing that a rule found in one part; `span` is relative to the part's text.

    `message` is for people: a short sentence, whose first words say what is wrong. `kro_message` is what kro or the API
    server prints instead, None where neither reports it. `versions` are the versions of kro that it is about.
    `severity` is None where it is that of the rule.
    """

    span: Span
    message: str
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    versions: Versions = ALL
    severity: Severity | None = None
    kro_message: str | None = None


Findings: TypeAlias = "Iterator[Finding]"
"""What a check of one part yields."""

PartFindings: TypeAlias = "Iterator[tuple[Part, Finding]]"
"""What a check of the whole definition yields: findings, each with the part that its spans are relative to."""


class PlacedRelated(Struct, frozen=True, gc=False):
    """A further place that explains a diagnostic, in document offsets."""

    span: Span
    message: str


class RelatedFile(Struct, frozen=True, gc=False):
    """Another file that explains a diagnostic, by its path; `line` is the one that does, from 1, or 0."""

    path: str
    message: str
    line: int = 0


class Diagnostic(Struct, frozen=True, gc=False):
    """A finding placed in a document: the rule's code and severity, document offsets.

    `is_doubtful` tells that it rests on kinds of which nobody has said that they are in the cluster like this.
    """

    code: str
    severity: Severity
    span: Span
    message: str
    related: tuple[PlacedRelated, ...] = ()
    fixes: tuple[Fix, ...] = ()
    kro_message: str | None = None
    files: tuple[RelatedFile, ...] = ()
    is_doubtful: bool = False

    @property
    def kro_note(self) -> str | None:
        """What to tell beside the message, so that people recognise it in a cluster and in searches."""
        return f"kro's message: {self.kro_message}" if self.kro_message else None
