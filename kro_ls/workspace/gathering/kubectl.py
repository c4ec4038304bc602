"""Requests to a cluster through the user's `kubectl`, which reads the kubeconfig and its credentials."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from kro_ls.kro.labels import APPLY_MANAGER
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.programs import find_program
from kro_ls.workspace.gathering.part import UnusableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.openapi.json_values import JsonObject

_REQUEST_SECONDS: Final = 30
_LONGEST_SECONDS: Final = 60.0
_LONGEST_REASON: Final = 300
_MOST_REFUSED: Final = 2_000
_DRY_RUN: Final = (
    "--server-side",
    "--dry-run=server",
    "--force-conflicts",
    f"--field-manager={APPLY_MANAGER}",
    "--validate=ignore",
    "--output=name",
    "--filename=-",
)
_REFUSALS: Final = ("Error from server", " is invalid", "no matches for kind", "is forbidden", "admission webhook")
_PREFIXES: Final = ("error: ", "Unable to connect to the server: ")
_ADVICE: Final = {
    "current-context must exist": "name a context with --context",
    "certificate has expired": "get a new kubeconfig",
    "You must be logged in": "log in to the cluster again",
    "Unauthorized": "log in to the cluster again",
    "provide credentials": "log in to the cluster again",
    "connection refused": "check that the cluster runs, and the address in the kubeconfig",
    "no such host": "check the network, and the address in the kubeconfig",
    "context deadline exceeded": "check the network, and the address in the kubeconfig",
    "timeout": "check the network, and the address in the kubeconfig",
}
"""What to do about messages of kubectl."""


class ForbiddenError(UnusableError):
    """The user may not read something in the cluster."""


class Kubectl:
    """A context of the user's kubeconfig; without a name the current one."""

    def __init__(self, context: str = "") -> None:
        """Raises UnusableError where there is no kubectl, or no such context."""
        self._name = f"context {context!r}" if context else "the current context"
        program = find_program("kubectl")
        if program is None:
            raise UnusableError(self._name, "kubectl is not installed, or not on the PATH")
        self._command = [program, *((f"--context={context}",) if context else ())]
        config = self._json("config", "view", "--minify", "--output=json")
        self.context = as_text(config.get("current-context")) or context
        self._name = f"context {self.context!r}"
        self.plugins = tuple(_plugins(config))
        """The programs that the context runs for its credentials."""

    def get(self, path: str) -> JsonObject:
        """Return the API server's answer to a request. Raises UnusableError, or ForbiddenError."""
        return self._json("get", f"--request-timeout={_REQUEST_SECONDS}s", f"--raw={path}")

    def dry_run(self, values: Sequence[JsonObject]) -> str:
        """Return why the API server would not let kro apply some objects, empty if it would. Nothing is written.

        Raises UnusableError if it does not answer.
        """
        listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": [*values]}).encode()
        code, _, errors = self._ended("apply", *_DRY_RUN, f"--request-timeout={_REQUEST_SECONDS}s", content=listed)
        if not code:
            return ""
        if not any(words in errors for words in _REFUSALS):
            raise self._error(errors)
        for prefix in _PREFIXES:
            errors = errors.removeprefix(prefix)
        return " ".join(errors.split())[:_MOST_REFUSED]

    def listed(self, path: str, query: str = "", at_once: int = 500) -> Iterator[JsonObject]:
        """Yield the objects of a list, so many per request. Raises UnusableError, ForbiddenError.

        `query` has parameters of the request, each followed by `&`.
        """
        start = following = f"{path}?{query}limit={at_once}"
        while following:
            page = self.get(following)
            yield from map(as_object, as_list(page.get("items")))
            token = as_text(as_object(page.get("metadata")).get("continue"))
            following = f"{start}&continue={quote(token, safe='')}" if token else ""

    def _json(self, *arguments: str) -> JsonObject:
        code, output, errors = self._ended(*arguments)
        if code:
            raise self._error(errors)
        try:
            return as_object(json.loads(output))
        except (ValueError, RecursionError):
            raise UnusableError(self._name, "the answer is no JSON; check the address in the kubeconfig") from None

    def _ended(self, *arguments: str, content: bytes = b"") -> tuple[int, bytes, str]:
        """Return the exit code of kubectl, its output, and its errors; `content` is its standard input."""
        command = [*self._command, *arguments]
        try:
            process = Popen(  # noqa: S603 (the user's own kubectl, with the context that the user names)
                command, stdin=PIPE if content else DEVNULL, stdout=PIPE, stderr=PIPE, start_new_session=True
            )
        except OSError as error:
            raise UnusableError(self._name, f"kubectl cannot be started: {(error.strerror or '').lower()}") from error
        with process:
            try:
                output, errors = process.communicate(content or None, timeout=_LONGEST_SECONDS)
            except BaseException as error:  # also Ctrl-C
                _end(process)
                if isinstance(error, TimeoutExpired):
                    reason = f"no answer within {_LONGEST_SECONDS:.0f} seconds; check the network"
                    raise UnusableError(self._name, reason) from error
                raise
        return process.returncode, output, errors.decode("utf-8", "replace")

    def _error(self, errors: str) -> UnusableError:
        lines = [line.strip() for line in errors.splitlines() if line.strip()]
        reason = lines[-1] if lines else "kubectl failed and does not say why"
        for prefix in _PREFIXES:
            reason = reason.removeprefix(prefix)
        advice = next((advice for words, advice in _ADVICE.items() if words in errors), "")
        kind = ForbiddenError if "(Forbidden)" in errors or "is forbidden" in errors else UnusableError
        return kind(self._name, f"{reason[:_LONGEST_REASON]}; {advice}" if advice else reason[:_LONGEST_REASON])


def _plugins(config: JsonObject) -> Iterator[str]:
    for each in map(as_object, as_list(config.get("users"))):
        user = as_object(each.get("user"))
        command = as_text(as_object(user.get("exec")).get("command"))
        provider = as_text(as_object(user.get("auth-provider")).get("name"))
        yield from (name for name in (command, provider) if name)


def _end(process: Popen[bytes]) -> None:
    """End kubectl and its child processes, which would keep its output open."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
