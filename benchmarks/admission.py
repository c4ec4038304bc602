"""Reviews of published definitions by `kro-ls admission` over TLS, on all cores. No text is sent twice."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from benchmarks.process import cpu_seconds, resident_megabytes
from benchmarks.published import definitions
from benchmarks.report import Row, row_of
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.fixtures.webhook import RunningWebhook, review

if TYPE_CHECKING:
    from collections.abc import Iterator

REVIEWS, QUICK_REVIEWS = 6_000, 200
WARM_UP = 400
CONNECTIONS = 8
BAR = 200.0  # reviews per second, on two cores
CORES = 2


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    wanted = QUICK_REVIEWS if quick else REVIEWS
    bodies = list(_bodies(wanted + WARM_UP))
    with tempfile.TemporaryDirectory() as name:
        webhook = RunningWebhook(Path(name), "--drain-seconds", "0")
        try:
            _send(webhook, bodies[:WARM_UP])
            before, started = cpu_seconds(webhook.process.pid), time.perf_counter()
            times = _send(webhook, bodies[WARM_UP:])
            seconds = time.perf_counter() - started
            cpu = cpu_seconds(webhook.process.pid) - before
            failed = webhook.metric('kro_ls_admission_reviews_total{outcome="failed",subject="other"}')
            memory = resident_megabytes(webhook.process.pid)
        finally:
            webhook.close()
    if failed:
        raise RuntimeError(f"{failed:.0f} reviews failed")
    rate, each = len(times) / seconds, cpu / len(times) * 1000
    possible = CORES * 1000 / each
    yield Row("admission", "processor time of a review, of all processes of the server", "ms", each)
    what = f"definitions in a second for which {CORES} cores have the time"
    yield Row("admission", what, "", possible)
    what = f"those that were reviewed, beside the client, {os.cpu_count()} cores"
    yield Row("admission", what, "", rate, bar=BAR, judged=rate, at_least=True)
    yield row_of("admission", f"a review, {CONNECTIONS} at once", times)
    yield Row("admission", "memory of all its processes together", "MB", memory)


def _bodies(number: int) -> Iterator[bytes]:
    """Yield reviews of definitions; a text that is not YAML never reaches a webhook."""
    for _, text in definitions(2 * number):
        document = parse_stream(Text(text)).documents[0]
        value = None if document.errors else document.to_python()
        if isinstance(value, dict) and number:
            number -= 1
            yield json.dumps(review(value)).encode()


def _send(webhook: RunningWebhook, bodies: list[bytes]) -> list[float]:
    """Send reviews over several connections, as an API server does, and return the milliseconds that each took."""
    waiting: SimpleQueue[bytes] = SimpleQueue()
    for body in bodies:
        waiting.put(body)
    times: list[float] = []
    threads = [threading.Thread(target=_send_some, args=(webhook, waiting, times)) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def _send_some(webhook: RunningWebhook, waiting: SimpleQueue[bytes], times: list[float]) -> None:
    connection = webhook.connection()
    while True:
        try:
            body = waiting.get_nowait()
        except Empty:
            connection.close()
            return
        started = time.perf_counter()
        connection.request("POST", "/validate", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        times.append((time.perf_counter() - started) * 1000)
