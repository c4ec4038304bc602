"""Serves the webhook over TLS until a signal; it then reports that it is not ready, and finishes open requests."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn
from msgspec import Struct
from msgspec.structs import replace

from kro_ls.admission.certificates import Certificate
from kro_ls.admission.cluster_mirror import ClusterMirror
from kro_ls.admission.review_pool import Limits, ReviewingProcess, ReviewPool
from kro_ls.admission.webhook import ReviewMetrics, Webhook
from kro_ls.workspace.files import warn
from kro_ls.workspace.patterns import files_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

    from kro_ls.admission.known_definitions import ReviewOptions
    from kro_ls.admission.review_pool import Stamps
    from kro_ls.workspace.files import UnreadableFileError

_LOOK_SECONDS: Final = 2.0
_KEEP_ALIVE_SECONDS: Final = 120
"""An API server closes idle connections after 90 seconds itself."""
_MOST_CONNECTIONS: Final = 1_000
_FIRST_LIST_SECONDS: Final = 60.0
_SIGNAL_SECONDS: Final = 0.1


async def _run(
    server: _Server,
    listening: socket.socket,
    webhook: Webhook,
    pool: ReviewPool,
    paths: tuple[Path, ...],
    certificate: Certificate,
    say: Callable[[str], None],
) -> None:
    server.config.load()
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    draining = asyncio.create_task(server.end_when_drained())
    looking = asyncio.create_task(_keep_fresh(server, pool, paths, certificate))
    host, port, *_ = listening.getsockname()
    try:
        await asyncio.to_thread(pool.wait_until_ready)
        webhook.is_ready = True
        say(f"https://{host}:{port}")
        await serving
    finally:
        for task in (looking, draining, serving):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _keep_fresh(server: _Server, pool: ReviewPool, paths: tuple[Path, ...], certificate: Certificate) -> None:
    """Look again and again whether files have changed."""
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        try:
            if server.config.ssl:
                certificate.renew(server.config.ssl)
            files = await asyncio.to_thread(stamps_of, paths)
        except OSError as error:  # files that are replaced at this moment
            warn("files could not be read, looking again soon: %s", error)
            continue
        if files != pool.files:
            pool.files = files


class WebhookOptions(Struct, frozen=True):
    """How the webhook is served. `paths` name files with definitions; with `cluster` those of the cluster are read."""

    review: ReviewOptions
    host: str
    port: int
    certificate: Path
    key: Path
    paths: tuple[Path, ...]
    cluster: bool
    workers: int
    limits: Limits
    most_bytes: int
    drain_seconds: float


def serve_webhook(options: WebhookOptions, say: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; `say` gets the address.

    Raises CertificateError, ClusterError, OSError where the address is taken, EndedError and LateError where a process
    cannot start.
    """
    certificate = Certificate(options.certificate, options.key)
    with ExitStack() as stack:
        listening = stack.enter_context(listening_socket(options.host, options.port))
        mirror, paths, review = None, options.paths, options.review
        if options.cluster:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kro-ls-admission-")))
            mirror = stack.enter_context(closing(ClusterMirror(folder)))
            mirror.start()
            mirror.wait(_FIRST_LIST_SECONDS)
            paths = (*paths, folder)
            review = replace(review, knows_cluster=not mirror.failures)
        pool = stack.enter_context(
            closing(ReviewPool(partial(ReviewingProcess, review), options.workers, options.limits, stamps_of(paths)))
        )
        webhook = Webhook(pool, ReviewMetrics(pool, certificate, mirror), options.most_bytes)
        server = _Server(webhook, options)
        asyncio.run(_run(server, listening, webhook, pool, paths, certificate, say))


def stamps_of(patterns: Iterable[Path]) -> Stamps:
    """Return the stamps of the files that paths of files, folders and globs name."""
    found: dict[str, tuple[int, int]] = {}
    for pattern in patterns:
        for path in files_named(pattern, _ignore):
            if any(part.startswith("..") and part != ".." for part in path.parts):
                continue  # where a kubelet keeps the files of a ConfigMap, to which the links beside it lead
            with suppress(OSError):
                stat = os.stat(path)
                found[str(path)] = stat.st_mtime_ns, stat.st_size
    return found


def _ignore(_: UnreadableFileError) -> None:
    """Ignore a folder that is being replaced, as those of mounted ConfigMaps are: it is read again soon."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens, and whose connections send each part of an answer at once.

    asyncio sees to that only where a socket names its protocol; otherwise the second part of an answer waits some
    40 ms. Raises OSError where the address is taken.
    """
    listening = socket.create_server((host, port), reuse_port=False)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


class _Server(uvicorn.Server):
    """A server that drains: a replica gets requests for some seconds after the cluster has decided to end it."""

    def __init__(self, webhook: Webhook, options: WebhookOptions) -> None:
        config = uvicorn.Config(
            webhook,
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            http="h11",
            loop="asyncio",
            ssl_certfile=options.certificate,
            ssl_keyfile=options.key,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=round(2 * options.limits.seconds) + 1,
            limit_concurrency=_MOST_CONNECTIONS,
        )
        super().__init__(config)
        self._webhook = webhook
        self._drain_seconds = options.drain_seconds

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 (uvicorn's signature)
        """Begin to drain; a second signal ends it at once."""
        if self._webhook.is_draining:
            self.should_exit = True
        self._webhook.is_draining = True

    async def end_when_drained(self) -> None:
        """End the server some seconds after it began to drain."""
        while not self._webhook.is_draining:
            await asyncio.sleep(_SIGNAL_SECONDS)
        await asyncio.sleep(self._drain_seconds)
        self.should_exit = True
