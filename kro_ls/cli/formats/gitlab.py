"""GitLab's Code Quality report: a JSON array that a merge request shows.

Source: GitLab documentation, "Code Quality", "Code Quality report format". GitLab shows only the description, so
it ends with kro's own message.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from kro_ls.cli.inputs import repository_path
from kro_ls.printable import printable, printable_literals
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from kro_ls.cli.report import Report

_SEVERITIES: Final = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFORMATION: "minor",
    Severity.HINT: "info",
}


def render(report: Report, level: str) -> str:
    """Return the array of what a level shows. Lines are 1-based.

    A fingerprint hashes the path, the code, the message, and how often these occurred above in the file. It stays the
    same when lines are added or removed above, so GitLab can tell old findings from new ones.
    """
    found: list[dict[str, object]] = []
    seen: dict[tuple[str, str, str], int] = {}
    for file, each in report.shown(level):
        path = repository_path(file.path, "CI_PROJECT_DIR")
        key = path, each.code, each.message
        number = seen[key] = seen.get(key, 0) + 1
        start, end = (file.text.position(offset).line + 1 for offset in (each.span.start, each.span.end))
        note = f" ({each.kro_note})" if each.kro_note else ""
        note += "".join(f" ({other.message}: {other.path}:{other.line})" for other in each.files if other.line)
        found.append(
            {
                "description": printable(f"{each.message}{note}"),
                "check_name": each.code,
                "fingerprint": sha256("\0".join((*key, str(number))).encode("utf-8", "surrogatepass")).hexdigest(),
                "severity": _SEVERITIES[each.severity],
                "location": {"path": printable(path), "lines": {"begin": start, "end": end}},
            }
        )
    return printable_literals(json.dumps(found, indent=2)) + "\n"
