"""Many distinct definitions, copied from published ones: each copy has its own names, so no text occurs twice."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from benchmarks.connection import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PUBLISHED = ROOT.parent / "shared" / "conformance"
FOLDERS = ("rgds", "faults")
_LARGEST = 64 * 1024
"""Larger definitions were written to measure something else."""

_ID = re.compile(r"^[ ]*(?:- )?id:[ ]*[\"']?([A-Za-z]\w*)[\"']?[ \r]*$", re.MULTILINE)
_FIELD = re.compile(r"\bschema\.spec\.([A-Za-z]\w*)")
_KIND = re.compile(r"^(  schema:\n(?:    .*\n|\n)*?    kind:[ ]*)(\w+)", re.MULTILINE)
_NAME = re.compile(r"^(metadata:\n(?:  .*\n)*?  name:[ ]*)([\w.-]+)", re.MULTILINE)
_RESOURCE_NAME = re.compile(r"^([ ]{8,}name:[ ]*[\"']?(?:\$\{[^}\n]*\})?)", re.MULTILINE)


def definitions(number: int) -> Iterator[tuple[str, str]]:
    """Yield so many file names with their texts; the ids, the read fields and the names differ in each copy."""
    originals = [
        (path.stem, path.read_text(encoding="utf-8"))
        for folder in FOLDERS
        for path in sorted((PUBLISHED / folder).glob("*.yaml"))
        if path.stat().st_size <= _LARGEST
    ]
    if not originals:
        raise FileNotFoundError(f"there are no definitions in {PUBLISHED}")
    made = 0
    for copy in count():
        for name, text in originals:
            if made == number:
                return
            made += 1
            yield f"{copy:03}/{name}.yaml", f"{renamed(text, _letters(made))}\n# {made}\n"


def renamed(text: str, suffix: str) -> str:
    """Return a definition whose ids, fields and names end in a suffix."""
    for word in dict.fromkeys(_ID.findall(text)):
        text = re.sub(rf"(?<![\w.$/-]){word}(?=[.?\[\]}}),\s]|$)", word + suffix, text)
        text = text.replace(f"${{{word}.", f"${{{word}{suffix}.").replace(f"${{{word}}}", f"${{{word}{suffix}}}")
    for word in dict.fromkeys(_FIELD.findall(text)):
        text = re.sub(rf"\bschema\.spec\.{word}\b", f"schema.spec.{word}{suffix}", text)
        text = re.sub(rf"^(      [\"']?){word}([\"']?:)", rf"\g<1>{word}{suffix}\g<2>", text, flags=re.MULTILINE)
    text = _KIND.sub(rf"\g<1>\g<2>{suffix.title()}", text)
    text = _NAME.sub(rf"\g<1>\g<2>-{suffix.lower()}", text)
    return _RESOURCE_NAME.sub(rf"\g<1>{suffix.lower()}", text)


def _letters(number: int) -> str:
    """Return a number in letters, such as `Xba`."""
    found = ""
    while number:
        number, rest = divmod(number, 26)
        found = chr(ord("a") + rest) + found
    return "X" + found


def write_definitions(folder: Path, number: int) -> int:
    """Write so many definitions below a folder; return the bytes of all of them."""
    size = 0
    for name, text in definitions(number):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        size += len(text.encode())
    return size
