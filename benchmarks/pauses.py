"""What an edit sets going until its author has paused, while other definitions are open: in processor time.

After a pause the server looks whether the edit changed the kind that the definition declares, which others may use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.client import KRO_LS, Client
from benchmarks.definitions import definition_of_lines
from benchmarks.editing import BARS, URI, WARM_UP, Editor
from benchmarks.edits import KINDS
from benchmarks.report import Row, row_of
from benchmarks.summary import median

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = 5000
PAUSE_SECONDS = 1.0
EDITS, QUICK_EDITS = 20, 2
KIND = "template value"
OTHERS = 10
USER_URI = "file:///benchmark/user.yaml"
USER = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: user
spec:
  schema:
    apiVersion: v1alpha1
    kind: User
    spec:
      name: string | required=true
  resources:
    - id: generated
      template:
        apiVersion: kro.run/v1alpha1
        kind: Generated0
        metadata:
          name: ${schema.spec.name}
        spec:
          unknown: field
"""
"""Its one error is known only from the kind that the edited definition declares."""


def _measure(what: str, opened: dict[str, str], edits: int) -> Row:
    with Client(KRO_LS) as client:
        client.initialize()
        definition = definition_of_lines(LINES)
        client.open(URI, definition.text)
        client.diagnostics(URI, 0)
        for uri, text in opened.items():
            client.open(uri, text)
            client.diagnostics(uri, 0, at_least=1 if uri == USER_URI else 0)
        client.settle()
        editor = Editor(client, definition, next(kind for kind in KINDS if kind.name == KIND))
        timings = []
        for _ in range(WARM_UP + edits):
            cpu = client.cpu_seconds
            timing = editor.next(pause=PAUSE_SECONDS)
            timings.append((timing.complete, (client.cpu_seconds - cpu) * 1000))
    times, cpu_ms = map(list, zip(*timings[WARM_UP:], strict=True))
    what = f"{LINES:,} lines: {KIND}, {what}"
    return row_of("pauses", what, times, bar=BARS[LINES], judged=median(cpu_ms), cpu_ms=cpu_ms)


def measure(*, quick: bool) -> Iterator[Row]:
    """The rows of the table: from an edit to its diagnostics; the processor time until a pause ends is judged."""
    edits = QUICK_EDITS if quick else EDITS
    others = {
        f"file:///benchmark/{number}.yaml": definition_of_lines(100, number).text for number in range(1, OTHERS + 1)
    }
    yield _measure(f"{OTHERS} others are open", others, edits)
    yield _measure("another uses its kind", {USER_URI: USER}, edits)
