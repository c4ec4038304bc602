"""The user's settings in the manifest of VS Code's extension: those of `workspace/settings_schema.py` by full name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from kro_ls.workspace.settings_schema import settings_schema

if TYPE_CHECKING:
    from pathlib import Path

TITLE: Final = "kro"
"""The group of settings in `package.json` that is generated; the other groups belong to the extension."""

_GROUP: Final = "inlayHints"
"""The objects whose members VS Code shows as separate settings."""


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
    """Return a schema with its Markdown where VS Code looks for it, and without keywords that only kro-ls uses."""
    shown = {key: value for key, value in schema.items() if not key.startswith("x-") and key != "title"}
    if "properties" in shown:
        shown["properties"] = {
            name: {key: value for key, value in inner.items() if key != "title"}
            for name, inner in shown["properties"].items()
        }
    return {"markdownDescription" if key == "description" else key: value for key, value in shown.items()}


def files(root: Path) -> dict[str, str]:
    """Return the manifest by its path, with these settings in their group."""
    path = "editors/vscode/package.json"
    manifest = json.loads((root / path).read_text(encoding="utf-8"))
    for group in manifest["contributes"]["configuration"]:
        if group["title"] == TITLE:
            group["properties"] = settings()
    return {path: json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"}
