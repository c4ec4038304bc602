"""Comments that silence diagnostics: `# kro-ls: ignore[code, other-code]`.

A comment silences its own line; a comment that stands alone on its line silences the next line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.yaml_positions.stream import YamlStream

_IGNORE = re.compile(r"#\s*kro-ls:\s*ignore\[([^\]]*)\]")


def ignored_codes(stream: YamlStream) -> dict[int, frozenset[str]]:
    """Return the silenced codes by 0-based line; a text without such comments costs one search."""
    text = stream.text
    if "kro-ls:" not in text.content:
        return {}
    lines: dict[int, frozenset[str]] = {}
    for span in stream.comments():
        match = _IGNORE.match(text.content, span.start, span.end)
        if match is None:
            continue
        line = text.position(span.start).line
        alone = not text.content[text.line_start(line) : span.start].strip()
        codes = frozenset(code.strip() for code in match.group(1).split(","))
        target = line + 1 if alone else line
        lines[target] = lines.get(target, frozenset()) | codes
    return lines
