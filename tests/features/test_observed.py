"""What a cluster says of an object, as it is edited for a preview: checked, completed and hovered by the kind."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kro_ls.features.completion.completion_list import completion
from kro_ls.workspace.check import check_document
from kro_ls.workspace.observed_objects import observed_kind
from tests.fixtures.features import check_hover
from tests.fixtures.language import Fixture, fixture

DEPLOYMENT = "kro-observed:/apps/v1/Deployment/1/web.status.yaml"
SERVICE = "kro-observed:/v1/Service/1/service.status.yaml"
UNKNOWN = "kro-observed:/example.com/v1/Thing/1/thing.status.yaml"


def opened(source: str, uri: str) -> Fixture:
    found = fixture(source)
    return Fixture(replace(found.cursor, document=replace(found.document, uri=uri)), found.marks)


def labels(source: str, uri: str) -> list[str]:
    answer = completion(opened(source, uri).cursor, snippets=False)
    return [item.label for item in sorted(answer.items, key=lambda item: item.sort_text or "")]


def test_a_uri_names_the_kind() -> None:
    assert observed_kind(DEPLOYMENT) == ("apps/v1", "Deployment")
    assert observed_kind("kro-observed:/v1/Service/1/a%20b.yaml") == ("v1", "Service")
    assert observed_kind("kro-observed:") == ("", "")


def test_the_fields_of_the_kind_are_completed() -> None:
    assert {"spec", "status"} <= set(labels("$0\n", DEPLOYMENT))
    assert not {"apiVersion", "kind", "metadata"} & set(labels("$0\n", DEPLOYMENT))
    assert {"readyReplicas", "availableReplicas", "conditions"} <= set(labels("status:\n  $0\n", DEPLOYMENT))
    assert "readyReplicas" in labels("status:\n  ready$0\n", DEPLOYMENT)
    assert {"reason", "message"} <= set(labels("status:\n  conditions:\n    - type: Available\n      $0\n", DEPLOYMENT))
    assert labels("status:\n  loadBalancer:\n    ingress:\n      - i$0\n", SERVICE) != []
    assert "readyReplicas" in labels("status:\n  replicas: 1\n---\nstatus:\n  $0\n", DEPLOYMENT)


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        ("status:\n  redyReplicas: 1\n", "redyReplicas", "unknown field 'redyReplicas'; did you mean 'readyReplicas'?"),
        ("status:\n  readyReplicas: one\n", "one", "'readyReplicas' must be an integer, not a string"),
        ("status: 3\n", "3", "'status' must be a mapping, not an integer"),
        ("status:\n  readyReplicas: 1\n---\nstatus: [\n", "[", "never closed"),
        ("kind: Pod\n", "kind", "unknown field 'kind'"),
    ],
)
def test_a_fault_is_marked(source: str, text: str, message: str) -> None:
    document = opened(source, DEPLOYMENT).document
    (found,) = check_document(document).diagnostics
    assert found.code == "invalid-file"
    assert message in found.message
    assert document.text.content[found.span.start : found.span.end] == text


@pytest.mark.parametrize(
    ("source", "uri"),
    [
        ("", DEPLOYMENT),
        ("status:\n", DEPLOYMENT),
        ("status:\n  readyReplicas: 1\n---\n# nothing yet\n", DEPLOYMENT),
        ("status: {phase: Up, any: [1]}\nspec: {size: 1}\n", UNKNOWN),
        ("status:\n  phase: [broken\n", "file:///work/web.yaml"),
    ],
)
def test_what_is_right_shows_nothing(source: str, uri: str) -> None:
    assert check_document(opened(source, uri).document).diagnostics == ()


def test_keys_are_hovered() -> None:
    check_hover(opened("status:\n  ready$0Replicas: 1\n", DEPLOYMENT), "Ready Condition", about="readyReplicas")
