"""The user's settings as VS Code shows them: those of `workspace/settings_schema.py`, by their full names.

`python -m kro_ls.server.settings_schema FILE` writes them into the `contributes.configuration` of an extension's
`package.json`; a test compares the two, and these names with what `configuration.py` reads.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from kro_ls.workspace.settings_schema import settings_schema

TITLE: Final = "kro"
"""The group of settings in `package.json` that is written; other groups are the extension's own."""

_GROUP: Final = "inlayHints"
"""What VS Code shows as settings of their own."""


def settings() -> dict[str, dict[str, Any]]:
    """Return the schema of each setting by its full name."""
    schema: Any = settings_schema()
    found: dict[str, dict[str, Any]] = {}
    for name, each in schema["properties"].items():
        if name == _GROUP:
            found |= {f"kro.{name}.{part}": _shown(inner) for part, inner in each["properties"].items()}
        else:
            found[f"kro.{name}"] = _shown(each)
    return found


def _shown(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with its Markdown where VS Code looks for it, and without what only kro-ls knows."""
    shown = {key: value for key, value in schema.items() if not key.startswith("x-") and key != "title"}
    if "properties" in shown:
        shown["properties"] = {
            name: {key: value for key, value in inner.items() if key != "title"}
            for name, inner in shown["properties"].items()
        }
    return {"markdownDescription" if key == "description" else key: value for key, value in shown.items()}


def with_settings(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return an extension's `package.json` with these settings in their group."""
    contributes = manifest["contributes"]
    groups = [
        {**group, "properties": settings()} if group["title"] == TITLE else group
        for group in contributes["configuration"]
    ]
    return {**manifest, "contributes": {**contributes, "configuration": groups}}


def main(path: Path) -> None:
    """Write the settings into a `package.json`."""
    manifest = with_settings(json.loads(path.read_text(encoding="utf-8")))
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
