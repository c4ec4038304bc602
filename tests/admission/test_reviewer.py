"""The answers to AdmissionReviews, without a network."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kro_ls.admission import reviewer as reviewing
from kro_ls.admission.known_definitions import ReviewOptions
from kro_ls.admission.reviewer import Reviewed, Reviewer
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_of_config_maps
from tests.fixtures.webhook import review

OPTIONS = ReviewOptions(DEFAULT_SETTINGS)
WEB = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: web
spec:
  schema:
    apiVersion: v1alpha1
    kind: Web
    spec:
      name: string | required=true maxLength=10
      port: integer | default=80
      zone: string | default=a immutable=true
  resources:
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: ${schema.spec.name}
        spec:
          selector:
            app: ${schema.spec.name}
          ports:
            - port: ${schema.spec.port}
"""


def value_of(text: str) -> Any:
    return parse_stream(Text(text)).documents[0].to_python()


def web(**spec: object) -> dict[str, Any]:
    metadata = {"name": "one", "namespace": "default"}
    return {"apiVersion": "kro.run/v1alpha1", "kind": "Web", "metadata": metadata, "spec": {"name": "one", **spec}}


def answer(value: Any, old: Any = None, *, given: Reviewer | None = None, **request: Any) -> Any:
    """Return the response to a review."""
    reviewed = (given or Reviewer(OPTIONS, ())).review(json.dumps(review(value, old, **request)).encode())
    assert reviewed.status == 200
    body = json.loads(reviewed.body)
    assert (body["apiVersion"], body["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
    assert body["response"]["uid"] == "705ab4f5"
    return body["response"]


def outcome(value: Any, old: Any = None, *, given: Reviewer | None = None, **request: Any) -> tuple[str, str]:
    reviewed = (given or Reviewer(OPTIONS, ())).review(json.dumps(review(value, old, **request)).encode())
    return reviewed.subject, reviewed.outcome


@pytest.fixture
def knowing(tmp_path: Path) -> Reviewer:
    """A reviewer that knows the definition of Web."""
    file = tmp_path / "web.yaml"
    file.write_text(WEB, encoding="utf-8")
    return Reviewer(OPTIONS, [str(file)])


def test_a_definition_without_faults_is_allowed() -> None:
    assert answer(value_of(WEB)) == {"uid": "705ab4f5", "allowed": True}
    assert outcome(value_of(WEB)) == ("definition", "allowed")


def test_every_error_denies_with_its_field() -> None:
    definition = value_of(WEB)
    definition["spec"]["schema"]["spec"]["port"] = "integr"
    definition["spec"]["resources"][0]["template"]["metadata"]["name"] = "${shema.spec.name}"
    response = answer(definition)
    unknown = "unknown name 'shema'; did you mean 'schema'?"
    assert not response["allowed"]
    assert response["status"]["reason"] == "Forbidden"
    assert response["status"]["message"].splitlines() == [
        "kro refuses this: 2 errors",
        "- spec.schema.spec.port: unknown type 'integr'; did you mean 'integer'? [unknown-type]",
        f"- spec.resources[0].template.metadata.name (resource 'service'): {unknown} [unresolved-reference]",
    ]
    assert [each["field"] for each in response["status"]["details"]["causes"]] == [
        "spec.schema.spec.port",
        "spec.resources[0].template.metadata.name",
    ]


def test_a_line_of_a_long_text_is_named() -> None:
    definition = value_of(WEB)
    definition["spec"]["resources"].append(
        {
            "id": "config",
            "template": {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": "${schema.spec.name}"},
                "data": {"app.conf": "first\nsecond\nport = ${schema.spec.prt}\n"},
            },
        }
    )
    assert (
        "- spec.resources[1].template.data.app.conf (resource 'config', line 3): unknown field 'prt'"
        in (answer(definition)["status"]["message"])
    )


def test_warnings_do_not_deny() -> None:
    definition = value_of(rgd_of_config_maps(("config", "hello-${schema.spec.name")))
    response = answer(definition)
    assert response["allowed"]
    assert any("[unterminated-expression]" in each for each in response["warnings"])
    assert outcome(definition) == ("definition", "warned")


def test_warnings_deny_where_they_are_to() -> None:
    strict = Reviewer(replace(OPTIONS, denies_warnings=True), ())
    response = answer(value_of(rgd_of_config_maps(("config", "hello-${schema.spec.name"))), given=strict)
    assert not response["allowed"]
    assert response["status"]["message"].startswith("warnings are denied here\n- spec.resources[0]")


@pytest.mark.parametrize("state", ["Active", "Inactive"])
def test_a_breaking_change_is_denied_where_kro_made_the_kind(state: str) -> None:
    """After kro refused a definition, the current schema of its kind is unknown."""
    old = {**value_of(WEB), "status": {"state": state}}
    new = value_of(WEB.replace("      zone: string | default=a immutable=true\n", ""))
    response = answer(new, old)
    reported = response["status"]["message"] if state == "Active" else response["warnings"][0]
    assert "breaking changes detected: Property zone was removed (spec.zone) [breaking-change]" in reported
    assert response["allowed"] is (state == "Inactive")


def test_an_allowed_breaking_change_is_allowed() -> None:
    old = {**value_of(WEB), "status": {"state": "Active"}}
    new = value_of(WEB.replace("      zone: string | default=a immutable=true\n", ""))
    new["metadata"]["annotations"] = {"kro.run/allow-breaking-changes": "true"}
    assert answer(new, old)["allowed"]


def test_deleted_objects_of_an_edited_definition_are_warned_of() -> None:
    old = {**value_of(WEB), "status": {"state": "Active"}}
    new = deepcopy(value_of(WEB))
    new["spec"]["resources"][0]["id"] = "other"
    new["spec"]["resources"][0]["template"]["metadata"]["name"] = "${schema.spec.name}-other"
    response = answer(new, old)
    assert response["allowed"]
    assert any("service" in each for each in response["warnings"])


def test_a_kind_that_the_cluster_does_not_have_is_warned_of() -> None:
    definition = value_of(WEB)
    definition["spec"]["resources"][0]["template"] |= {"apiVersion": "example.com/v1", "kind": "Widget"}
    assert "warnings" not in answer(definition)
    knowing_all = Reviewer(replace(OPTIONS, knows_cluster=True), ())
    (warning,) = answer(definition, given=knowing_all)["warnings"]
    assert warning == (
        "spec.resources[0].template.kind (resource 'service'): the cluster does not have this kind yet: cannot resolve "
        'group version kind "example.com/v1, Kind=Widget": schema not found [unknown-kind]'
    )


def test_another_definition_has_the_kind(knowing: Reviewer) -> None:
    definition = value_of(WEB)
    assert "warnings" not in answer(definition, given=knowing)
    definition["metadata"]["name"] = "other"
    (warning,) = answer(definition, given=knowing)["warnings"]
    assert warning.startswith("spec.schema.kind: 'web' declares this kind, too")


def test_an_instance_is_checked_by_its_definition(knowing: Reviewer) -> None:
    assert answer(web(), given=knowing) == {"uid": "705ab4f5", "allowed": True}
    assert outcome(web(), given=knowing) == ("instance", "allowed")
    response = answer(web(name="much-too-long", port="x"), given=knowing)
    assert [each["field"] for each in response["status"]["details"]["causes"]] == ["spec.name", "spec.port"]


def test_objects_that_the_api_server_refuses_are_warned_of(knowing: Reviewer) -> None:
    response = answer(web(port=70_000), given=knowing)
    assert response["allowed"]
    (warning,) = response["warnings"]
    assert warning.startswith("resource 'service': the API server refuses spec.ports[0].port of Service default/one: ")
    assert warning.endswith("[refused-object]")


def test_an_immutable_field_of_an_instance_cannot_be_changed(knowing: Reviewer) -> None:
    response = answer(web(zone="b"), web(zone="a"), given=knowing)
    assert "- spec.zone: the field is immutable [invalid-instance]" in response["status"]["message"]
    assert answer(web(zone="a", port=90), web(zone="a", port=80), given=knowing)["allowed"]


def test_a_changed_definition_counts_for_the_next_review(knowing: Reviewer, tmp_path: Path) -> None:
    file = tmp_path / "web.yaml"
    file.write_text(WEB.replace("maxLength=10", "maxLength=20"), encoding="utf-8")
    knowing.update([str(file)])
    assert answer(web(name="much-too-long"), given=knowing)["allowed"]
    file.unlink()
    knowing.update([str(file)])
    assert outcome(web(), given=knowing) == ("other", "not-concerned")


def test_an_instance_of_a_refused_definition_is_checked_by_its_schema_alone(tmp_path: Path) -> None:
    file = tmp_path / "web.yaml"
    file.write_text(WEB.replace("name: ${schema.spec.name}", "name: ${shema.spec.name}"), encoding="utf-8")
    assert "warnings" not in answer(web(port=70_000), given=Reviewer(OPTIONS, [str(file)]))


@pytest.mark.parametrize(
    "request_",
    [
        {"operation": "DELETE", "object": None},
        {"operation": "CONNECT"},
        {"subResource": "status"},
    ],
)
def test_what_changes_no_spec_is_let_through(request_: dict[str, Any]) -> None:
    broken = value_of(WEB.replace("schema.spec.name", "shema.spec.name"))
    assert outcome(broken, **request_) == ("other", "not-concerned")


def test_what_controllers_write_is_let_through() -> None:
    broken = value_of(WEB.replace("schema.spec.name", "shema.spec.name"))
    finalized = deepcopy(broken)
    finalized["metadata"]["finalizers"] = ["kro.run/finalizer"]
    assert outcome(finalized, broken) == ("other", "unchanged")
    deleted = deepcopy(broken)
    deleted["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    deleted["spec"]["resources"] = []
    assert outcome(deleted, broken) == ("other", "not-concerned")


def test_other_objects_are_let_through() -> None:
    assert outcome({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}) == ("other", "not-concerned")
    assert outcome(web()) == ("other", "not-concerned")
    assert outcome({}) == ("other", "not-concerned")


def malformed(body: bytes) -> str:
    reviewed = Reviewer(OPTIONS, ()).review(body)
    assert (reviewed.status, reviewed.outcome) == (400, "malformed")
    return reviewed.body.decode()


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        (b"", "the body is no AdmissionReview in JSON: "),
        (b"\xff\xfe", "the body is no AdmissionReview in JSON: "),
        (b"[]", "the body is no AdmissionReview in JSON: Expected `object`, got `array`"),
        (b'{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}', "the AdmissionReview has no request"),
        (b'{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": 1}}', "Expected `str`"),
        (
            b'{"apiVersion": "admission.k8s.io/v1beta1", "kind": "AdmissionReview"}',
            'set admissionReviewVersions: ["v1"]',
        ),
        (
            b'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a","object":'
            + b"[" * 100_000,
            "",
        ),
    ],
)
def test_what_is_no_review_gets_a_clear_answer(body: bytes, reported: str) -> None:
    assert reported in malformed(body)


@pytest.mark.parametrize(
    "value",
    [
        {"apiVersion": "kro.run/v1alpha1", "kind": "ResourceGraphDefinition"},
        {"apiVersion": "kro.run/v1alpha1", "kind": "ResourceGraphDefinition", "metadata": [], "spec": "x"},
        {
            "apiVersion": "kro.run/v1alpha1",
            "kind": "ResourceGraphDefinition",
            "spec": {"resources": [1, None, {"id": {}}]},
        },
        {"apiVersion": 1, "kind": {}, "metadata": None},
        {"apiVersion": "kro.run/v1alpha1", "kind": "../.kro-ls", "spec": {"tests": 1}},
        {"apiVersion": "kro.run/v1alpha1", "kind": "web.test", "spec": {}},
        {"apiVersion": "kro.run/v1alpha1", "kind": "Web", "metadata": {"name": 1}, "spec": []},
    ],
)
def test_odd_objects_get_an_answer(value: Any, knowing: Reviewer) -> None:
    assert outcome(value, given=knowing)[1] != "failed"
    assert outcome(value, {**value, "spec": {"a": 1}}, given=knowing)[1] != "failed"


def test_what_kro_ls_fails_on_is_let_through_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Reviewed:
        raise RuntimeError("a mistake\nof ours")

    monkeypatch.setattr(reviewing, "check_file", fail)
    assert answer(value_of(WEB)) == {
        "uid": "705ab4f5",
        "allowed": True,
        "warnings": ["kro-ls did not review this: RuntimeError: a mistake\\nof ours"],
    }
    assert outcome(value_of(WEB)) == ("other", "failed")
