"""The beginnings of objects of well-known projects are objects of these kinds once the gaps are filled."""

from __future__ import annotations

import re
import textwrap

import pytest

from kro_ls.features.completion.skeletons import skeleton
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.known_projects import projects, with_projects
from tests.paths import needs_kinds


@needs_kinds
@pytest.mark.parametrize(
    ("group", "kind", "parts"),
    [
        ("argoproj.io", "Application", ("repoURL:", "server:")),
        ("argoproj.io", "Rollout", ("canary:", "containers:")),
        ("cert-manager.io", "Certificate", ("issuerRef:", "dnsNames:")),
        ("external-secrets.io", "ExternalSecret", ("secretStoreRef:", "remoteRef:")),
        ("gateway.networking.k8s.io", "Gateway", ("listeners:",)),
        ("gateway.networking.k8s.io", "HTTPRoute", ("backendRefs:",)),
        ("helm.toolkit.fluxcd.io", "HelmRelease", ("sourceRef:",)),
        ("iam.services.k8s.aws", "Role", ("assumeRolePolicyDocument:",)),
        ("kustomize.toolkit.fluxcd.io", "Kustomization", ("prune:", "sourceRef:")),
        ("source.toolkit.fluxcd.io", "GitRepository", ("url:", "branch:")),
    ],
)
def test_a_filled_skeleton_is_an_object_of_its_kind(group: str, kind: str, parts: tuple[str, ...]) -> None:
    versions = [name for name in projects().names() if (name.group, name.kind) == (group, kind)]
    assert versions
    for name in versions:
        text = _filled(name)
        assert all(part in text for part in parts)
        source = rgd(f"- id: it\n  template:\n{textwrap.indent(text, '    ')}", spec="{}")
        found = diagnose_text(Text(source), DEFAULT_SETTINGS, with_projects()).diagnostics
        assert [each.message for each in found if each.severity in ("error", "warning")] == []


def _filled(name: GroupVersionKind) -> str:
    text = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", skeleton(name, with_projects()))
    text = re.sub(r"(url|repoURL): \$\d+", r"\1: https://example.com/repository", text)
    return re.sub(r"\$\d+", "example", text)
