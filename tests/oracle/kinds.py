"""Writes Kubernetes' own kinds for the oracle: `python -m tests.oracle.kinds MINOR FILE`.

They are the definitions from which the wheel's schema file is built, with their references: the API machinery that
the oracle links resolves those. JSON: `definitions` by name, and `kinds` with group, version, kind,
the name of the definition, plural and scope.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hatch_build import kind_index, minor_folders, read_definitions, read_resources

# Swagger 2.0, from which the definitions are generated, has no type for these. A cluster publishes OpenAPI v3:
# k8s.io/apimachinery, OpenAPIV3OneOfTypes of IntOrString and Quantity.
V3_FORMS: dict[str, dict[str, Any]] = {
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {
        "format": "int-or-string",
        "oneOf": [{"type": "integer"}, {"type": "string"}],
    },
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
}


def kinds(minor: int) -> dict[str, Any]:
    """The definitions and kinds of Kubernetes 1.`minor`."""
    definitions = read_definitions(dict(minor_folders())[minor])
    found = [
        {
            "group": group_version.rpartition("/")[0],
            "version": group_version.rpartition("/")[2],
            "kind": kind,
            "definition": definition,
            "plural": plural,
            "namespaced": namespaced,
        }
        for group_version, rows in kind_index(definitions, read_resources()).items()
        for kind, (definition, plural, namespaced, *_) in rows.items()
    ]
    return {"definitions": {**definitions, **V3_FORMS}, "kinds": found}


def main(arguments: list[str]) -> int:
    minor, file = arguments
    text = json.dumps(kinds(int(minor.removeprefix("1."))), separators=(",", ":"), sort_keys=True)
    Path(file).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
