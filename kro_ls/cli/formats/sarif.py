"""SARIF 2.1.0, which code scanning services read.

Source: OASIS "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from kro_ls import __version__
from kro_ls.printable import printable, printable_literals
from kro_ls.render.rule_page import page
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.registry import RULES
from kro_ls.yaml_positions.positions import PositionEncoding

if TYPE_CHECKING:
    from kro_ls.cli.report import CheckedFile, Report
    from kro_ls.rules.diagnostics import Diagnostic, Fix, RelatedFile
    from kro_ls.rules.rule import Rule
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.text import Text

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool"

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}
_RULE_POSITIONS = {rule.code: position for position, rule in enumerate(RULES)}


def render(report: Report, level: str) -> str:
    """Return a log of one run with what a level shows.

    Columns count UTF-16 code units, and paths are relative where they were given so.
    """
    run: Json = {
        "tool": {
            "driver": {"name": "kro-ls", "version": __version__, "rules": [_rule(rule) for rule in RULES]},
        },
        "columnKind": "utf16CodeUnits",
        "invocations": [
            {
                "executionSuccessful": not report.unreadable,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": str(error)}} for error in report.unreadable
                ],
            }
        ],
        "results": [_result(file, diagnostic) for file, diagnostic in report.shown(level)],
    }
    log: Json = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return printable_literals(json.dumps(log, indent=2)) + "\n"


def _rule(rule: Rule) -> Json:
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": rule.explanation, "markdown": page(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(file: CheckedFile, diagnostic: Diagnostic) -> Json:
    text = file.text
    result: dict[str, Json] = {
        "ruleId": diagnostic.code,
        "ruleIndex": _RULE_POSITIONS[diagnostic.code],
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": printable(diagnostic.message)},
        "locations": [{"physicalLocation": _location(file.path, text, diagnostic.span)}],
    }
    if diagnostic.kro_message:
        result["properties"] = {"kroMessage": printable(diagnostic.kro_message)}
    places = [(_location(file.path, text, each.span), each.message) for each in diagnostic.related]
    places += [(_file(each), each.message) for each in diagnostic.files]
    if diagnostic.kro_note:
        places.append((_location(file.path, text, diagnostic.span), diagnostic.kro_note))
    if places:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": place, "message": {"text": printable(message)}}
            for number, (place, message) in enumerate(places, 1)
        ]
    if diagnostic.fixes:
        result["fixes"] = [_fix(file.path, text, fix) for fix in diagnostic.fixes]
    return result


def _fix(path: str, text: Text, fix: Fix) -> Json:
    replacements: list[Json] = [
        {"deletedRegion": _region(text, each.span), "insertedContent": {"text": each.text}} for each in fix.replacements
    ]
    return {
        "description": {"text": printable(fix.title)},
        "artifactChanges": [{"artifactLocation": {"uri": _uri(path)}, "replacements": replacements}],
    }


def _file(other: RelatedFile) -> Json:
    found: dict[str, Json] = {"artifactLocation": {"uri": _uri(other.path)}}
    return found | {"region": {"startLine": other.line}} if other.line else found


def _location(path: str, text: Text, span: Span) -> Json:
    return {"artifactLocation": {"uri": _uri(path)}, "region": _region(text, span)}


def _region(text: Text, span: Span) -> Json:
    start = text.encoded_position(span.start, PositionEncoding.UTF16)
    end = text.encoded_position(span.end, PositionEncoding.UTF16)
    return {
        "startLine": start.line + 1,
        "startColumn": start.column + 1,
        "endLine": end.line + 1,
        "endColumn": end.column + 1,
    }


def _uri(path: str) -> str:
    file = Path(path)
    return file.as_uri() if file.is_absolute() else quote(file.as_posix(), errors="surrogateescape")
