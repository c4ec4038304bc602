"""Definitions typed key by key, as an editor sends them: one from an empty file, one resource into a large file.

After a newline the editor indents in the same edit, and the author pauses now and then. The next key follows when the
server is idle, so nothing queues and no time is spent waiting.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from benchmarks.client import KRO_LS, Client
from benchmarks.connection import QUIET_SECONDS
from benchmarks.definitions import definition
from benchmarks.edits import Change, Position, position_of
from benchmarks.report import Row, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator

URI = "file:///benchmark/typed.yaml"
PAUSE_SECONDS = 0.4
SHORT_SECONDS = 0.02
LINES_TO_PAUSE = 5
LARGE = 1000

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: web-app
spec:
  schema:
    apiVersion: v1alpha1
    kind: WebApp
    spec:
      name: string | required=true
      replicas: integer | default=2 minimum=1
      ingress:
        enabled: boolean | default=false
    status:
      ready: ${deployment.status.availableReplicas}
  resources:
    - id: deployment
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: ${schema.spec.name}
        spec:
          replicas: ${schema.spec.replicas}
          selector:
            matchLabels:
              app: ${schema.spec.name}
          template:
            metadata:
              labels:
                app: ${schema.spec.name}
            spec:
              containers:
                - name: web
                  image: nginx
    - id: service
      includeWhen:
        - ${schema.spec.ingress.enabled}
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: ${deployment.metadata.name}
        spec:
          selector: ${deployment.spec.selector.matchLabels}
          ports: [{port: 80}]
"""

RESOURCE = """\
    - id: typedService
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: ${schema.spec.name + "-typed"}
        spec:
          selector: {app: "${account0.metadata.name}"}
          ports: [{port: 80}]
"""


def keys(text: str, at: Position) -> Iterator[Change]:
    """Yield the edits that type a text at a place: each character, and each newline with the indentation after it.

    An editor indents like the previous line: deeper indentation is typed as spaces, less is one edit.
    """
    line, character = at
    indentation = ""
    for number, words in enumerate(text.splitlines()):
        wanted = words[: len(words) - len(words.lstrip())]
        if number:
            yield Change((line, character), (line, character), f"\n{indentation}")
            line, character = line + 1, len(indentation)
        if len(wanted) < character:
            yield Change((line, len(wanted)), (line, character), "")
            character = len(wanted)
        for key in words[character:]:
            yield Change((line, character), (line, character), key)
            character += 1
        indentation = wanted


def _type(client: Client, typed: str, at: Position) -> tuple[list[float], list[float], int]:
    """Return the milliseconds of each key that brought diagnostics, its processor time, and the number of such keys."""
    times, cpu_ms, published, newlines = [], [], 0, 0
    for version, change in enumerate(keys(typed, at), start=1):
        if change.text.startswith("\n"):
            newlines += 1
            if newlines % LINES_TO_PAUSE == 0:
                client.pause(PAUSE_SECONDS)
        cpu = client.cpu_seconds
        sent = client.change(URI, version, change)
        # There may be no answer: a text that is not yet a definition has no diagnostics.
        with suppress(TimeoutError):
            client.diagnostics(URI, version, patience=QUIET_SECONDS)
        client.settle(SHORT_SECONDS)
        cpu_ms.append((client.cpu_seconds - cpu) * 1000)
        came = [each for each in client.published if each.version == version]
        if came:
            times.append((came[-1].at - sent) * 1000)
        published += len(came)
    return times, cpu_ms, published


def _rows(what: str, typed: str, text: str, at: Position) -> Iterator[Row]:
    with Client(KRO_LS) as client:
        client.initialize()
        client.open(URI, text)
        client.settle()
        started = time.monotonic()
        times, cpu_ms, published = _type(client, typed, at)
        seconds = time.monotonic() - started
    count = len(cpu_ms)
    yield row_of("typing", f"{what}: latency of a key ({count} keys, {seconds:.0f} s)", times, cpu_ms=cpu_ms)
    yield Row("typing", f"{what}: diagnostics published", "", published)


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    lines = DEFINITION.splitlines(keepends=True)
    whole = "".join(lines[:4] if quick else lines)
    yield from _rows("a definition from an empty file", whole, "", (0, 0))
    text = definition(LARGE).text
    yield from _rows(
        f"a resource into a file of {LARGE:,}",
        RESOURCE[:40] if quick else RESOURCE,
        text,
        position_of(text, len(text)),
    )
