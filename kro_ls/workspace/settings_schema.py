"""The settings, as JSON Schema: `.kro-ls.yaml` is checked by it, and editors and the documentation show it.

In a file the settings are as they stand here; an editor has them in its section `kro`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from kro_ls.kro.controller import FEATURE_GATES
from kro_ls.kro.versions.version import NEWEST, VERSIONS
from kro_ls.openapi.sources.bundled import minors
from kro_ls.openapi.sources.pack.policy import CHOICES
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.registry import RULES
from kro_ls.runtime.testing.testfile_schema import MOST_PLACES
from kro_ls.workspace.file_schemas import AS_WRITTEN

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject

_SEVERITIES: Final = (*(each.value for each in Severity), "off")


@cache  # built once, from constants
def settings_schema() -> JsonObject:
    """Return the schema of all settings."""
    return {
        "type": "object",
        "title": "the settings",
        "x-kro-ls-key": "setting",
        "additionalProperties": False,
        "properties": {
            "version": {
                "type": "string",
                AS_WRITTEN: True,
                "default": "",
                "examples": [str(each) for each in reversed(VERSIONS)],
                "description": "The version of kro that you run, such as `0.9.3`; an editor's setting counts more than "
                f"a `.kro-ls.yaml`, and without either it is the newest release, {NEWEST}.",
            },
            "severity": {
                "type": "object",
                "additionalProperties": False,
                "x-kro-ls-key": "rule",
                "default": {},
                "description": "Another severity for a diagnostic, or `off`. "
                "Without an entry a diagnostic has the severity that its description names.",
                "properties": {
                    rule.code: {
                        "type": "string",
                        "title": "severity",
                        "enum": list(_SEVERITIES),
                        "default": rule.severity.value,
                        "description": rule.summary,
                    }
                    for rule in sorted(RULES, key=lambda rule: rule.code)
                },
            },
            "kubernetesVersion": {
                "type": "string",
                "title": "Kubernetes version",
                AS_WRITTEN: True,
                "enum": ["", *minors()],
                "default": "",
                "description": "The Kubernetes version whose kinds are known; the newest that kro-ls knows by default.",
            },
            "crds": _paths(
                "Files, folders and globs with CustomResourceDefinitions outside of the workspace's folders. "
                "Those inside are found by themselves."
            ),
            "openapi": _paths(
                "A cluster's `swagger.json`, or a folder with its `/openapi/v3` documents, "
                "to use instead of the Kubernetes kinds that kro-ls knows."
            ),
            "kinds": {
                "type": "object",
                "x-kro-ls-key": "API group, or pattern of groups",
                "default": {},
                "examples": [{"*": "strict"}, {"*.azure.com": "off"}],
                "description": "What is made of the kinds of well-known projects that come with kro-ls, by API group, "
                "or by a pattern such as `*.azure.com` or `*`; the longest that fits counts. `warn`: what rests on "
                "such a kind alone is at most a warning and does not fail `check`; `strict`: your cluster has it like "
                "this; `off`: it is unknown. Kinds that the workspace or `kro.crds` declare are not meant.",
                "additionalProperties": {"type": "string", "enum": list(CHOICES), "default": CHOICES[0]},
            },
            "featureGates": {
                "type": "object",
                "additionalProperties": False,
                "x-kro-ls-key": "feature gate",
                "default": {},
                "description": "Feature gates of kro that are on in your cluster.",
                "properties": {
                    gate.name: {"type": "boolean", "default": gate.default, "description": gate.meaning}
                    for gate in FEATURE_GATES.values()
                },
            },
            "compareWith": {
                "type": "string",
                "default": "",
                "examples": ["HEAD", "main"],
                "scope": "machine",  # VS Code's word for what no workspace can set
                "description": "A commit, such as `HEAD`, to compare definitions with as they are edited, by `git`; "
                "only an editor's own setting counts.",
            },
            "cluster": {
                "type": "string",
                "default": "",
                "scope": "machine",
                "description": "A context of your kubeconfig, to pull the kinds of its cluster into your store, by "
                "`kubectl` and only for reading, when the editor starts and every half hour; only an editor's own "
                "setting counts.",
            },
            "diagnosticMode": {
                "type": "string",
                "enum": ["workspace", "openFilesOnly"],
                "default": "workspace",
                "description": "Whether an editor shows what is wrong in all definitions, instances and tests of the "
                "workspace, or in open files only; only an editor's own setting counts.",
            },
            "inlayHints": {
                "type": "object",
                "additionalProperties": False,
                "description": "What is shown at the ends of lines in an editor.",
                "properties": {
                    "statusTypes": _switch("Show the type of each status field at its end.", default=True),
                    "iteratorTypes": _switch("Show the type of each iterator at its end.", default=True),
                    "values": _switch("Show what each expression gives in a preview.", default=False),
                },
            },
        },
    }


def _paths(description: str) -> JsonObject:
    items: JsonObject = {"type": "string"}
    return {"type": "array", "items": items, "maxItems": MOST_PLACES, "default": [], "description": description}


def _switch(description: str, *, default: bool) -> JsonObject:
    return {"type": "boolean", "default": default, "description": description}
