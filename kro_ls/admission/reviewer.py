"""Answers AdmissionReviews one after the other, by the definitions of a cluster and without network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.admission.admission_review import MalformedReviewError, Verdict, allowed, read_request, response_body
from kro_ls.admission.definition_review import review_definition
from kro_ls.admission.known_definitions import KnownDefinitions
from kro_ls.admission.object_text import object_text
from kro_ls.kro.forms import API_VERSION, KIND
from kro_ls.openapi.json_values import JsonObject, as_object
from kro_ls.printable import printable
from kro_ls.shortening import shortened
from kro_ls.workspace.check import check_file, file_document
from kro_ls.workspace.files import warn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.admission.admission_review import Request
    from kro_ls.admission.known_definitions import ReviewOptions

FAILED: Final = "failed"
"""The outcome of a review that kro-ls did not manage."""

_REVIEWED: Final = ("CREATE", "UPDATE")
_LONGEST_FAILURE: Final = 150
_OTHER: Final = "other"
_PATH: Final = "object.yaml"
_SAMPLE: Final[JsonObject] = {
    "apiVersion": API_VERSION,
    "kind": KIND,
    "metadata": {"name": "sample"},
    "spec": {
        "schema": {"apiVersion": "v1alpha1", "kind": "Sample", "spec": {"name": "string"}},
        "resources": [
            {
                "id": "config",
                "template": {
                    "apiVersion": "v1",
                    "kind": "ConfigMap",
                    "metadata": {"name": "${schema.spec.name}"},
                    "data": {"length": "${string(size(schema.spec.name))}"},
                },
            }
        ],
    },
}


class Reviewed(Struct, frozen=True):
    """An HTTP status and its body; `subject` and `outcome` are words for the metrics."""

    status: int
    body: bytes
    subject: str
    outcome: str


class Reviewer:
    """Judges what people apply. Any body gets an answer."""

    def __init__(self, options: ReviewOptions, files: Iterable[str]) -> None:
        """`files` hold definitions and CustomResourceDefinitions. Raises UnknownMinorError."""
        self._options = options
        self._definitions = KnownDefinitions(options, files)

    def warm_up(self) -> None:
        """Review a sample, so that no request has to wait for imports."""
        self._checked(_SAMPLE, None)

    def update(self, changed: Iterable[str]) -> None:
        """Read files again that were changed, created or deleted."""
        self._definitions.update(changed)

    def review(self, body: bytes) -> Reviewed:
        """Return the answer to a body. If kro-ls fails, the request is allowed, with a warning."""
        try:
            request = read_request(body)
        except MalformedReviewError as error:
            return Reviewed(400, str(error).encode(), _OTHER, "malformed")
        try:
            subject, verdict = self._verdict(request)
        except Exception as error:  # no failure of ours may block people
            warn("a review failed: %s: %s", type(error).__name__, error)
            subject, verdict = _OTHER, failed(f"{type(error).__name__}: {error}")
        if verdict.outcome == "warned" and self._options.denies_warnings:
            verdict = _denied(verdict)
        return Reviewed(200, response_body(request.uid, verdict), subject, verdict.outcome)

    def _verdict(self, request: Request) -> tuple[str, Verdict]:
        value, old = request.object, request.old_object
        if request.operation not in _REVIEWED or request.sub_resource or value is None:
            return _OTHER, allowed("not-concerned")
        if as_object(value.get("metadata")).get("deletionTimestamp"):
            return _OTHER, allowed("not-concerned")  # its finalizers must be removable, whatever is wrong with it
        if old is not None and _authored(value) == _authored(old):
            return _OTHER, allowed("unchanged")
        return self._checked(value, old)

    def _checked(self, value: JsonObject, old: JsonObject | None) -> tuple[str, Verdict]:
        written = object_text(value)
        settings, kinds = self._options.settings, self._definitions.kinds
        checked = check_file(_PATH, written.text, settings, kinds)
        document = checked.document
        if document.analysis.rgds:
            former = file_document(_PATH, object_text(old).text, settings, kinds) if old is not None else None
            status = as_object(as_object(old).get("status"))
            return "definition", review_definition(written, checked, former, status, self._definitions)
        kind = next((each.kind for each in document.described), None)
        if kind is not None:
            from kro_ls.admission.instance_review import review_instance  # many webhooks see definitions alone

            return "instance", review_instance(written, checked, kind, old, self._definitions.definition_of(kind))
        return _OTHER, allowed("not-concerned")


def failed(reason: str) -> Verdict:
    """Return the answer for a failed review, which allows the request: our faults must not block people."""
    message = shortened(printable(reason), _LONGEST_FAILURE)
    return replace(allowed(FAILED, f"kro-ls did not review this: {message}"), outcome=FAILED)


def _denied(verdict: Verdict) -> Verdict:
    listed = "\n".join(f"- {each}" for each in verdict.warnings)
    return Verdict("denied", f"warnings are denied here\n{listed}", warnings=verdict.warnings)


def _authored(value: JsonObject) -> object:
    """Return what a review depends on: controllers write the rest, and must not be hindered."""
    return {name: each for name, each in value.items() if name not in ("metadata", "status")}
