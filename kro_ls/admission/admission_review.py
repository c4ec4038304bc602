"""AdmissionReviews of `admission.k8s.io/v1`: what an API server asks, and the answers to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct, field

from kro_ls.printable import printable
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.admission.verdict import Verdict

API_VERSION: Final = "admission.k8s.io/v1"
KIND: Final = "AdmissionReview"
_LONGEST_REASON: Final = 300


class MalformedReviewError(Exception):
    """A body is no AdmissionReview that can be answered; the message says what is wrong with it."""


class Request(Struct, frozen=True, rename="camel"):
    """What somebody wants to do to an object. `object` is the new one, None of a deletion; `old_object` is there."""

    uid: str
    operation: str = ""
    sub_resource: str = ""
    object: dict[str, Any] | None = None
    old_object: dict[str, Any] | None = None


class _Review(Struct, frozen=True, rename="camel"):
    api_version: str
    kind: str
    request: Request | None = None


class _RequestUid(Struct, frozen=True):
    uid: str = ""


class _ReviewUid(Struct, frozen=True):
    request: _RequestUid = field(default_factory=_RequestUid)


def read_request(body: bytes) -> Request:
    """Return what an API server asks. Raises MalformedReviewError."""
    try:
        review = msgspec.json.decode(body, type=_Review)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        reason = shortened(printable(str(error)), _LONGEST_REASON)
        raise MalformedReviewError(f"the body is no {KIND} in JSON: {reason}") from error
    if (review.api_version, review.kind) != (API_VERSION, KIND):
        named = shortened(printable(f"{review.api_version} {review.kind}"), _LONGEST_REASON)
        raise MalformedReviewError(f'{named} is not understood; set admissionReviewVersions: ["v1"] in the webhook')
    if review.request is None or not review.request.uid:
        raise MalformedReviewError(f"the {KIND} has no request with a uid")
    return review.request


def uid_of(body: bytes) -> str:
    """Return the uid of the request in a body, as far as it can be read; empty where it cannot."""
    try:
        return msgspec.json.decode(body, type=_ReviewUid).request.uid
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return ""


def response_body(uid: str, verdict: Verdict) -> bytes:
    """Return the AdmissionReview that answers a request."""
    response: dict[str, object] = {"uid": uid, "allowed": not verdict.denied}
    if verdict.denied:
        response["status"] = _status(verdict)
    if verdict.warnings:
        response["warnings"] = list(verdict.warnings)
    return msgspec.json.encode({"apiVersion": API_VERSION, "kind": KIND, "response": response})


def _status(verdict: Verdict) -> Mapping[str, object]:
    # Of what is `Invalid`, kubectl would show the causes in the place of the message.
    causes = [{"reason": each.code, "message": each.text, "field": each.field} for each in verdict.causes]
    status = {"status": "Failure", "code": 403, "reason": "Forbidden", "message": verdict.denied}
    return {**status, "details": {"causes": causes}} if causes else status
