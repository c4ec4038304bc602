"""The fixes of a diagnostic, worked out when somebody asks for them, and proved by applying them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.yaml_positions.writing import Replacement


def fixes(diagnosis: Diagnosis, diagnostic: Diagnostic) -> tuple[Fix, ...]:
    return diagnostic.fixes


def edited(content: str, replacements: Iterable[Replacement]) -> str:
    """Return a text after replacements that do not touch each other."""
    for each in sorted(replacements, key=lambda each: each.span.start, reverse=True):
        content = content[: each.span.start] + each.text + content[each.span.end :]
    return content
