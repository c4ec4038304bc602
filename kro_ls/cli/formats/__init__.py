"""What commands print: one module per format, each a function from a report to a text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kro_ls.cli.report import Report

FORMATS: Final = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")
"""How `check` and `validate` print what they find."""


def rendered(report: Report, level: str, output_format: str) -> str:
    """Return a report in one of the FORMATS other than text; only that format is imported."""
    name = "json_report" if output_format == "json" else output_format
    text: str = import_module(f"{__name__}.{name}").render(report, level)
    return text
