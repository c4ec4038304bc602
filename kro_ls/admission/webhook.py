"""The webhook as an ASGI application, with its paths, its limits and its metrics for Prometheus."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from kro_ls.admission.reviewer import Reviewed

if TYPE_CHECKING:
    from kro_ls.admission.certificates import Certificate
    from kro_ls.admission.cluster_mirror import ClusterMirror
    from kro_ls.admission.review_pool import ReviewPool

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_Event: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[_Event]]
_Send: TypeAlias = Callable[[_Event], Awaitable[None]]
VALIDATE: Final = "/validate"
_TEXT: Final = "text/plain; charset=utf-8"
_JSON: Final = "application/json"
_BODY_SECONDS: Final = 5.0


class Webhook:
    """Answers requests. While it `is_draining`, it reports that it is not ready, but still reviews."""

    def __init__(self, pool: ReviewPool, metrics: ReviewMetrics, most_bytes: int) -> None:
        self.is_ready = False
        self.is_draining = False
        self._pool = pool
        self._metrics = metrics
        self._most_bytes = most_bytes

    async def __call__(self, scope: _Event, receive: _Receive, send: _Send) -> None:
        """Answer one request (ASGI)."""
        status, content, body = await self._answer(scope["method"], scope["path"], receive)
        headers = [(b"content-type", content.encode()), (b"content-length", str(len(body)).encode())]
        if self.is_draining:
            headers.append((b"connection", b"close"))  # the next request of this client goes to another replica
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, method: str, path: str, receive: _Receive) -> tuple[int, str, bytes]:
        if path == VALIDATE:
            if method != "POST":
                return 405, _TEXT, b"send AdmissionReviews by POST\n"
            return await self._review(receive)
        if path == "/healthz":
            return 200, _TEXT, b"ok\n"
        if path == "/readyz":
            is_ready = self.is_ready and not self.is_draining
            return (
                (200, _TEXT, b"ok\n") if is_ready else (503, _TEXT, b"draining\n" if self.is_ready else b"starting\n")
            )
        if path == "/metrics":
            return 200, "text/plain; version=0.0.4; charset=utf-8", self._metrics.text()
        return 404, _TEXT, b"there are /validate, /healthz, /readyz and /metrics\n"

    async def _review(self, receive: _Receive) -> tuple[int, str, bytes]:
        started = time.monotonic()
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                body = await self._body(receive)
            reviewed = await self._pool.review(body)
        except TimeoutError:
            reviewed = Reviewed(408, b"the body did not come in time", "other", "malformed")
        except _RefusedBodyError as error:
            status, reason = error.args
            reviewed = Reviewed(status, reason.encode(), "other", "malformed")
        self._metrics.count(reviewed, time.monotonic() - started)
        return reviewed.status, _JSON if reviewed.status == 200 else _TEXT, reviewed.body

    async def _body(self, receive: _Receive) -> bytes:
        """Return the body. Raises _RefusedBodyError."""
        parts: list[bytes] = []
        size, is_more = 0, True
        while is_more:
            event = await receive()
            if event["type"] != "http.request":
                raise _RefusedBodyError(400, "the connection was closed")
            parts.append(event.get("body", b""))
            is_more = event.get("more_body", False)
            size += len(parts[-1])
            if size > self._most_bytes:
                raise _RefusedBodyError(413, f"the body has more than {self._most_bytes} bytes")
        return b"".join(parts)


class ReviewMetrics:
    """The counters of one webhook."""

    def __init__(self, pool: ReviewPool, certificate: Certificate, mirror: ClusterMirror | None) -> None:
        self._registry = registry = CollectorRegistry()
        named = ["subject", "outcome"]
        self._reviews = Counter("kro_ls_admission_reviews", "Reviews that were answered.", named, registry=registry)
        self._seconds = Histogram(
            "kro_ls_admission_review_seconds", "Time from a request to its answer.", buckets=_SECONDS, registry=registry
        )
        gauges = {
            "kro_ls_admission_waiting": ("Reviews that wait or are worked on.", lambda: pool.waiting),
            "kro_ls_admission_files": ("Files with definitions that are known.", lambda: len(pool.files)),
            "kro_ls_admission_worker_restarts": ("Processes that were replaced.", lambda: pool.restarts),
            "kro_ls_admission_certificate_renewals": (
                "Certificates that were read anew.",
                lambda: certificate.renewals,
            ),
            "kro_ls_admission_cluster_failures": (
                "Failed attempts to read from the cluster.",
                lambda: mirror.failures if mirror else 0,
            ),
        }
        for name, (text, value) in gauges.items():
            Gauge(name, text, registry=registry).set_function(value)

    def count(self, reviewed: Reviewed, seconds: float) -> None:
        """Count a review and the time it took."""
        self._reviews.labels(reviewed.subject, reviewed.outcome).inc()
        self._seconds.observe(seconds)

    def text(self) -> bytes:
        """Return all values in the text format."""
        return generate_latest(self._registry)


class _RefusedBodyError(Exception):
    """A body that is refused; the arguments are an HTTP status and the reason."""
