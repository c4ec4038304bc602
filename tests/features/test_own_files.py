"""`.kro-ls.yaml` and test files in an editor: checked, completed and hovered by their schemas."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kro_ls.features.completion.completion_list import completion
from kro_ls.kro.versions.version import VERSIONS
from kro_ls.workspace.check import check_document
from tests.fixtures.features import check_hover
from tests.fixtures.language import Fixture, fixture

SETTINGS = "file:///work/.kro-ls.yaml"
TESTS = "file:///work/app.test.yaml"


def opened(source: str, uri: str) -> Fixture:
    found = fixture(source)
    cursor = replace(found.cursor, document=replace(found.document, uri=uri))
    return Fixture(cursor, found.marks)


def labels(source: str, uri: str) -> list[str]:
    answer = completion(opened(source, uri).cursor, snippets=False)
    return [item.label for item in sorted(answer.items, key=lambda item: item.sort_text or "")]


@pytest.mark.parametrize(
    ("source", "uri", "text", "message"),
    [
        ("version: 0.9\nseverty: {}\n", SETTINGS, "severty", "unknown setting 'severty'; did you mean 'severity'?"),
        ("inlayHints:\n  values: maybe\n", SETTINGS, "maybe", "'values' must be a boolean"),
        ("featureGates:\n  CELOmitFunctions: true\n", SETTINGS, "CELOmitFunctions", "did you mean 'CELOmitFunction'?"),
        (
            "definition: a\ntests:\n  - name: b\n    expect:\n      nodes: {a: redy}\n",
            TESTS,
            "redy",
            "unknown state 'redy'; did you mean 'ready'?",
        ),
        ("definition: a\ntests:\n  - name: b\n", TESTS, "name: b", "'expect' is missing"),
        ("definition: a\ntests: [\n", TESTS, "[", "never closed"),
    ],
)
def test_a_fault_is_marked(source: str, uri: str, text: str, message: str) -> None:
    document = opened(source, uri).document
    (found,) = check_document(document).diagnostics
    assert found.code == "invalid-file"
    assert message in found.message
    assert document.text.content[found.span.start : found.span.end] == text


@pytest.mark.parametrize(
    ("source", "uri"),
    [
        ("version: 0.10\nseverity: {unused-type: off}\nkubernetesVersion: 1.36\n", SETTINGS),
        ("", SETTINGS),
        ("apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nspec: {}\n", TESTS),
        ("definition: a.yaml\ntests:\n  - name: b\n    expect: {state: ACTIVE}\n", TESTS),
    ],
)
def test_what_is_right_shows_nothing(source: str, uri: str) -> None:
    assert check_document(opened(source, uri).document).diagnostics == ()


def test_keys_and_values_are_completed() -> None:
    assert {"version", "severity", "crds"} <= set(labels("ver$0\n", SETTINGS))
    assert labels("severity:\n  unused-type: $0\n", SETTINGS)[:2] == ["hint", "error"]
    assert "CELOmitFunction" in labels("featureGates:\n  $0\n", SETTINGS)
    assert labels("definition: a\ntests:\n  - name: b\n    $0\n", TESTS)[0] == "expect"
    assert "ACTIVE" in labels("definition: a\ntests:\n  - name: b\n    expect:\n      state: $0\n", TESTS)


def test_keys_are_hovered() -> None:
    check_hover(opened("kubernetes$0Version: 1.36\n", SETTINGS), "The Kubernetes version whose kinds are known")
    check_hover(
        opened("definition: a\ntests:\n  - name: b\n    not$0Ready: []\n", TESTS), "ids of resources", about="notReady"
    )


def test_the_versions_of_kro_are_offered() -> None:
    assert labels("version: $0\n", SETTINGS)[0] == str(VERSIONS[-1])
