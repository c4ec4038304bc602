"""Reports what is wrong with files beside definitions, at a place that a path leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.yaml_positions.nodes import Mapping, Sequence
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.rules.diagnostics import Fix, PlacedRelated, RelatedFile
    from kro_ls.rules.rule import Rule
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.documents.document import YamlDocument


def reported(
    rule: Rule,
    settings: Settings,
    span: Span,
    message: str,
    kro_message: str | None = None,
    fixes: tuple[Fix, ...] = (),
    files: tuple[RelatedFile, ...] = (),
    related: tuple[PlacedRelated, ...] = (),
    *,
    as_hint: bool = False,
) -> Iterator[Diagnostic]:
    """Yield a diagnostic of a rule, unless the settings turn the rule off."""
    severity = settings.severity_of(rule)
    if severity is not None:
        severity = Severity.HINT if as_hint else severity
        yield Diagnostic(rule.code, severity, span, message, related, fixes, kro_message or None, files)


def short_path(path: str) -> str:
    """Return the end of a path that tells it from others: the file and its folder."""
    return "/".join(path.replace("\\", "/").rsplit("/", 2)[-2:])


def span_at(document: YamlDocument, path: Path, *, in_key: bool = False) -> Span:
    """Return the span of the value at a path, or of its key; else of the nearest key above it.

    A block is marked at its key, too: a fault of an object or a list concerns it as a whole.
    """
    found = document.child(path)
    while found is None and path:
        path, in_key = path[:-1], True
        found = document.child(path)
    if found is None:
        return Span(document.start, document.start)
    if not path:
        return _first_key(document, found.span)
    is_block = isinstance(found.node, Mapping | Sequence) and not found.node.flow
    return found.key_span if (in_key or is_block) and found.key_span else found.span


def _first_key(document: YamlDocument, whole: Span) -> Span:
    """Return the span of `kind`, which is marked for a fault of the whole object."""
    kind = document.child(("kind",))
    return kind.span if kind else Span(whole.start, whole.start + 1)
