"""AdmissionReviews of `admission.k8s.io/v1`: the requests of an API server, the verdicts, and the responses.

An API server and kubectl pass on only some of a verdict; it is shortened to that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct, field

from kro_ls.printable import printable
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_MOST_BYTES_OF_WARNING: Final = 256
_MOST_BYTES_OF_WARNINGS: Final = 4096
"""What an API server passes on of each warning, and of all (k8s.io/apiserver, pkg/endpoints/filters/warning.go)."""
_MOST_ERRORS: Final = 50
_LONGEST_ERROR: Final = 1_000
API_VERSION: Final = "admission.k8s.io/v1"
KIND: Final = "AdmissionReview"
_LONGEST_REASON: Final = 300


class Message(Struct, frozen=True):
    """A message about a field (empty for the whole object), with the code of its rule.

    `place` locates it further: the resource of a definition, the line of a text.
    """

    field: str
    text: str
    code: str = ""
    place: str = ""

    def __str__(self) -> str:
        about = " ".join(filter(None, [self.field, self.place and f"({self.place})"]))
        about = f"{about}: " if about else ""
        return f"{about}{self.text}{f' [{self.code}]' if self.code else ''}"


class Verdict(Struct, frozen=True):
    """An answer: why the request is denied (empty if it is allowed), and the warnings that fit.

    `causes` are what the denial rests on. `outcome` is the word for the metrics.
    """

    outcome: str
    denied: str = ""
    causes: tuple[Message, ...] = ()
    warnings: tuple[str, ...] = ()


def allowed(outcome: str, *warnings: str) -> Verdict:
    """Return the answer that lets a request through."""
    return Verdict(outcome, warnings=tuple(_fitting([_cut(each) for each in warnings])))


def judged(heading: str, errors: Sequence[Message], warnings: Sequence[Message]) -> Verdict:
    """Return the answer for findings; errors deny, under a heading that says what refuses the object."""
    shown_warnings = tuple(_fitting([_cut(str(each)) for each in warnings]))
    if not errors:
        return Verdict("warned" if shown_warnings else "allowed", warnings=shown_warnings)
    shown = [f"- {shortened(printable(str(each)), _LONGEST_ERROR)}" for each in errors[:_MOST_ERRORS]]
    if len(errors) > _MOST_ERRORS:
        shown.append(f"- and {len(errors) - _MOST_ERRORS} more; 'kro-ls check' shows all of them")
    return Verdict("denied", "\n".join([heading, *shown]), tuple(errors[:_MOST_ERRORS]), shown_warnings)


def _fitting(warnings: Sequence[str]) -> Iterator[str]:
    """Yield the warnings that fit, and the number of the others."""
    left = _MOST_BYTES_OF_WARNINGS
    for number, each in enumerate(warnings):
        rest = len(warnings) - number
        more = f"and {rest} more warnings; 'kro-ls check' shows all of them"
        needed = len(each.encode())
        if needed > left or (rest > 1 and needed + len(more) > left and _size(warnings[number:]) > left):
            yield more
            return
        left -= needed
        yield each


def _size(texts: Iterable[str]) -> int:
    return sum(len(each.encode()) for each in texts)


def _cut(text: str) -> str:
    """Return a text as a header may carry it: printable, on one line, and not too long."""
    line = printable(text)
    while len(line.encode()) > _MOST_BYTES_OF_WARNING:
        line = shortened(line, min(len(line) - 1, _MOST_BYTES_OF_WARNING))
    return line


class MalformedReviewError(Exception):
    """A body is no AdmissionReview that can be answered; the message says what is wrong with it."""


class Request(Struct, frozen=True, rename="camel"):
    """A request for an object. `object` is the new object, None for a deletion; `old_object` is the present one."""

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
