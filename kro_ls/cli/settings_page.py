"""Writes the page of the settings and of test files: `python -m kro_ls.cli.settings_page docs/settings.md`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.schema import Schema
from kro_ls.runtime.testfile_schema import TEST_FILE
from kro_ls.workspace.settings_schema import settings_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_LISTED: Final = 6
_PAGE: Final = """\
# Settings

A file `.kro-ls.yaml` holds the settings of its folder and of those below, for the command line and for editors alike:

```yaml
version: 0.9.3
severity:
  unused-type: off
crds:
  - vendor/crds
```

The nearest file above a definition counts. Options of a command and an editor's own settings count more than the file;
an editor sends them under the section `kro`. What is wrong in the file is shown where it stands (`invalid-file`), and a
command refuses to go on without it.

The file may come from a stranger, so its `crds` and `openapi` are regular files in its folder or below it, also once
symbolic links are followed. To use files elsewhere, name them with an option, such as `--crds ../crds`. In an editor
`crds`, `openapi`, `kubernetesVersion` and `inlayHints` are those of the editor; VS Code takes `crds` and `openapi` from
a `.vscode/settings.json` only if you trust the workspace.

| setting | value | meaning |
|---|---|---|
{settings}

## Test files

Files that end in `.test.yaml` hold tests of a definition ([testing](testing.md)):

| key | value | meaning |
|---|---|---|
{tests}

This page is generated: `python -m kro_ls.cli.settings_page docs/settings.md`.
"""


def page() -> str:
    """Return the page as Markdown."""
    return _PAGE.format(
        settings="\n".join(_rows(Schema(settings_schema()), "")), tests="\n".join(_rows(Schema(TEST_FILE), ""))
    )


def _rows(schema: Schema, prefix: str) -> Iterator[str]:
    """Yield a line of a table for each key, those inside of objects and lists with their whole path."""
    for name, each in schema.properties.items():
        yield f"| `{prefix}{name}` | {_value(each)} | {_cell(each.description)} |"
        inner = each.items if each.items and each.items.properties else each
        # Rules and feature gates have tables of their own.
        if inner.properties and name not in ("severity", "featureGates"):
            yield from _rows(inner, f"{prefix}{name}{'[]' if inner is not each else ''}.")


def _value(schema: Schema) -> str:
    item = schema.items
    shown = " or ".join(schema.types)
    if schema.enum:
        shown = _listed([str(value) for value in schema.enum if value != ""])
    elif item is not None:
        shown = f"list of {_listed([str(value) for value in item.enum]) if item.enum else ' or '.join(item.types)}"
    elif (first := next(iter(schema.properties.values()), None)) and first.enum and len(schema.properties) > 1:
        shown = f"object: code → {_value(first)}"
    default = "" if schema.default in (None, "", [], {}) else f", default `{json.dumps(schema.default)}`"
    return shown + (default if not schema.enum else "")


def _listed(values: list[str]) -> str:
    more = ", ..." if len(values) > _MOST_LISTED else ""
    return ", ".join(f"`{value}`" for value in values[:_MOST_LISTED]) + more


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
