"""Describes the user's settings as JSON Schema, as VS Code shows them and other editors' files can.

`python -m kro_ls.server.settings_schema FILE` writes them into the `contributes.configuration` of an extension's
`package.json`; a test compares the two, and these names with what `configuration.py` reads.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

TITLE: Final = "kro"
"""The group of settings in `package.json` that is written; other groups are the extension's own."""

_PATHS: Final[dict[str, object]] = {"type": "array", "items": {"type": "string"}, "default": []}


def settings() -> dict[str, dict[str, Any]]:
    """Return the schema of each setting by its full name."""
    from kro_ls.kro.feature_gates import FEATURE_GATES
    from kro_ls.openapi.sources.bundled import minors
    from kro_ls.rules.diagnostics import Severity
    from kro_ls.rules.registry import RULES

    severities = [*(each.value for each in Severity), "off"]
    return {
        "kro.severity": {
            "type": "object",
            "additionalProperties": False,
            "default": {},
            "markdownDescription": "Another severity for a diagnostic, or `off`. "
            "Without an entry a diagnostic has the severity that its description names.",
            "properties": {
                rule.code: {
                    "type": "string",
                    "enum": severities,
                    "default": rule.severity.value,
                    "description": rule.summary,
                }
                for rule in sorted(RULES, key=lambda rule: rule.code)
            },
        },
        "kro.kubernetesVersion": {
            "type": "string",
            "enum": ["", *minors()],
            "enumDescriptions": ["The newest that kro-ls knows", *([""] * len(minors()))],
            "default": "",
            "markdownDescription": "The Kubernetes version whose kinds are known.",
        },
        "kro.crds": {
            **_PATHS,
            "markdownDescription": "Files, folders and globs with CustomResourceDefinitions "
            "outside of the workspace's folders. Those inside are found by themselves.",
        },
        "kro.openapi": {
            **_PATHS,
            "markdownDescription": "A cluster's `swagger.json`, or a folder with its `/openapi/v3` documents, "
            "to use instead of the Kubernetes kinds that kro-ls knows.",
        },
        "kro.featureGates": {
            "type": "object",
            "additionalProperties": False,
            "default": {},
            "markdownDescription": "Feature gates of kro that are on in your cluster.",
            "properties": {
                gate.name: {"type": "boolean", "default": gate.default, "description": gate.meaning}
                for gate in FEATURE_GATES.values()
            },
        },
        "kro.inlayHints.statusTypes": _switch("Show the type of each status field at its end.", default=True),
        "kro.inlayHints.iteratorTypes": _switch("Show the type of each iterator at its end.", default=True),
        "kro.inlayHints.values": _switch("Show what each expression gives in a preview.", default=False),
    }


def _switch(description: str, *, default: bool) -> dict[str, Any]:
    return {"type": "boolean", "default": default, "markdownDescription": description}


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
