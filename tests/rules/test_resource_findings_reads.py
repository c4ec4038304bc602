"""A check runs again where a field of the scope is another one that it has read, and no other check does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.analysis import analyze
from kro_ls.rules import resource_findings
from kro_ls.rules.resource_findings import check_resource
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.rules.diagnostics import Finding

SOURCE = """\
resources:
  - id: settings
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        missing: ${settigns.data.x}
"""


def test_a_check_runs_again_for_what_it_read(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []

    def counted(code: str, check: resource_findings._Check) -> resource_findings._Check:
        def run(resource: Resource, scope: Scope) -> Iterator[Finding]:
            runs.append(code)
            return check(resource, scope)  # type: ignore[return-value]  # as it is

        return run

    checks = tuple((code, counted(code, check)) for code, check in resource_findings._CHECKS)
    monkeypatch.setattr(resource_findings, "_CHECKS", checks)
    rgd = analyze(Text(rgd_around(SOURCE))).rgds[0]
    (resource,) = rgd.parts
    scope = rgd.scope(resource)

    def rerun(**changed: object) -> tuple[set[str], list[str]]:
        runs.clear()
        found = check_resource(resource, replace(scope, **changed))
        return {code for code, _ in found}, runs.copy()

    found, first = rerun()
    assert found == {"unresolved-reference"}
    assert first == [code for code, _ in checks]
    assert rerun() == (found, [])
    assert rerun(cluster_scoped=True) == ({*found, "missing-namespace"}, ["missing-namespace"])
    assert rerun() == (found, ["missing-namespace"])
    found, again = rerun(anonymous_resources=True)
    assert "unresolved-reference" in again
    assert not {"missing-namespace", "cel-syntax", "incomplete-object"} & {*again}
