"""Writes every generated file, or with `--check` lists the outdated ones."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generators import (
    assistants_page,
    cel_stub,
    extension_settings,
    extension_sources,
    methods_page,
    places_page,
    rule_pages,
    settings_page,
    wire_types,
)

ROOT = Path(__file__).parents[1]
GENERATORS = (
    assistants_page,
    cel_stub,
    extension_settings,
    extension_sources,
    methods_page,
    places_page,
    rule_pages,
    settings_page,
    wire_types,
)
OWNED_FOLDERS = (rule_pages.FOLDER,)
"""Folders in which everything is generated: a file that no generator writes any more is removed."""


def differences(root: Path) -> dict[str, str | None]:
    """Return the content of the outdated files by path; None for a file that must be removed."""
    wanted: dict[str, str | None] = {}
    for generator in GENERATORS:
        wanted |= generator.files(root)
    for folder in OWNED_FOLDERS:
        for found in (root / folder).iterdir():
            wanted.setdefault(f"{folder}/{found.name}", None)
    return {path: content for path, content in wanted.items() if content != _text_of(root / path)}


def _text_of(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def write(root: Path) -> None:
    """Bring all generated files up to date."""
    for path, content in differences(root).items():
        print(path)
        if content is None:
            (root / path).unlink()
        else:
            (root / path).write_text(content, encoding="utf-8", newline="\n")


def main() -> None:
    """Run as a command."""
    parser = argparse.ArgumentParser(prog="scripts/generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is out of date")
    if not parser.parse_args().check:
        write(ROOT)
    elif stale := differences(ROOT):
        sys.exit(f"out of date, run scripts/generate: {', '.join(stale)}")


if __name__ == "__main__":
    main()
