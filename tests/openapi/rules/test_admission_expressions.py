"""Expressions of admission: what a real API server (1.36.3) said of the policies that have them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.objects.refusal import refusal
from tests.openapi.validation.objects.answers import kind_of
from tests.paths import ROOT

ROWS = (ROOT / "tests/openapi/rules/recorded/policies.jsonl").read_text(encoding="utf-8").splitlines()
RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["deployments"], "operations": ["CREATE"]}


@pytest.mark.parametrize("row", ROWS)
def test_a_policy_is_judged_as_recorded(row: str) -> None:
    spec, answer = json.loads(row)
    policy: dict[str, Any] = {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "p.example.com"},
        "spec": {"failurePolicy": "Fail", "matchConstraints": {"resourceRules": [RULE]}, **spec},
    }
    found = refusal(policy, kind_of(policy), rule_errors, None)
    assert (found.text if found else "") == answer
