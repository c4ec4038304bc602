"""CRDs that kro generated: ours must be equal, with the status fields taken from kro's."""

import json
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from kro_ls.analysis.crd.compatibility import compare_crds
from kro_ls.analysis.crd.generate import generate_crd
from kro_ls.analysis.simpleschema.builder import build_schema
from tests.paths import CONFORMANCE, needs_conformance

FOLDER = CONFORMANCE


def schema_section(path: Path) -> dict[str, Any]:
    """Return `spec.schema` of the RGD in a file; YAML 1.1, as the API server's client reads it."""
    yaml = YAML(typ="safe")
    yaml.version = (1, 1)
    yaml.allow_duplicate_keys = True
    for document in yaml.load_all(path.read_text(encoding="utf-8")):
        if document and document.get("kind") == "ResourceGraphDefinition":
            section = document["spec"]["schema"]
            assert isinstance(section, dict)
            return section
    raise AssertionError(f"no RGD in {path}")


@needs_conformance
def test_generated_crds_agree_with_kro() -> None:
    differences = []
    accepted = 0
    for line in (FOLDER / "rgds.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if not case["accepted"]:
            continue
        accepted += 1
        section = schema_section(FOLDER / "rgds" / case["file"])
        result = build_schema(section.get("spec"), section.get("types"))
        expected = case["crd"]
        (version,) = expected["spec"]["versions"]
        status = dict(version["schema"]["openAPIV3Schema"]["properties"]["status"])
        written = section.get("status") or {}
        status["properties"] = {
            name: value
            for name, value in status["properties"].items()
            if name not in ("state", "conditions") or (name == "state" and name in written)
        }
        crd = generate_crd(section, result.recovered, status)
        if result.errors or {"metadata": crd["metadata"], "spec": crd["spec"]} != expected:
            differences.append(case["file"])
        elif compare_crds(expected, crd).has_changes:
            differences.append(f"{case['file']}: compared unequal")
    assert accepted > 0
    assert differences == []
