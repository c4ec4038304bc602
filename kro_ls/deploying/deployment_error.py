"""The errors of a deployment; each message names the problem and what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from kro_ls.openapi.json_values import as_list, as_object, as_text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject

_LONGEST_MESSAGE: Final = 2_000
_TRANSIENT: Final = frozenset({408, 429, 502, 503, 504})
_NOT_FOUND: Final = 404


class DeploymentError(Exception):
    """A deployment failed. The text is for people; `Run.result` raises it."""


class RefusedRequestError(DeploymentError):
    """The API server refused a request. `code` is that of HTTP, `message` what it said."""

    def __init__(self, text: str, code: int, message: str) -> None:
        super().__init__(text)
        self.code = code
        self.message = message

    @property
    def is_not_found(self) -> bool:
        """Whether there is no such object, kind or namespace."""
        return self.code == _NOT_FOUND


class UnreachableError(DeploymentError):
    """The cluster does not answer, or says that it cannot now; a later request may succeed."""


def refused_request(code: int, body: Any, what: str) -> DeploymentError:
    """Return what a refusal means: `body` is the answer to a request, `what` says what was asked for."""
    status = _status(body)
    message = as_text(status.get("message"))[:_LONGEST_MESSAGE] or f"HTTP status {code}"
    if code in _TRANSIENT:
        return UnreachableError(f"cannot {what}: the API server says: {message}; try again later")
    conflicts = _field_conflicts(status)
    if conflicts:
        advice = "leave these fields to it, or take them over with force=True"
        return RefusedRequestError(f"cannot {what}: {conflicts}; {advice}", code, message)
    advice = {
        401: "; log in to the cluster again, or get new credentials",
        403: "; ask for the permission, or use a context that has it" if "cannot" in message else "",
    }.get(code, "")
    return RefusedRequestError(f"cannot {what}: the API server says: {message}{advice}", code, message)


def _status(body: Any) -> JsonObject:
    try:
        return as_object(json.loads(body))
    except (TypeError, ValueError, RecursionError):
        return {}


def _field_conflicts(status: JsonObject) -> str:
    """Return which field managers own which fields that are applied; empty where this is not why it was refused."""
    managers: dict[str, list[str]] = {}
    for cause in map(as_object, as_list(as_object(status.get("details")).get("causes"))):
        if cause.get("reason") == "FieldManagerConflict":
            manager = as_text(cause.get("message")).removeprefix("conflict with ").partition(" using ")[0]
            managers.setdefault(manager.strip('"'), []).append(as_text(cause.get("field")).removeprefix("."))
    return "; ".join(f"field manager {name!r} owns {', '.join(fields)}" for name, fields in managers.items())
