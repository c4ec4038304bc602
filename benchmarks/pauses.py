"""The processor time that an edit causes until its author has paused, while other definitions are open.

After a pause the server checks whether the edit changed the kind that the definition declares, which others may use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.client import KRO_LS, Client
from benchmarks.definitions import definition_of_lines
from benchmarks.editing import BARS, measure_kind
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
"""Its one error depends on the kind that the edited definition declares."""


def _measure(what: str, opened: dict[str, str], edits: int) -> Row:
    kind = next(kind for kind in KINDS if kind.name == KIND)
    with Client(KRO_LS) as client:
        client.initialize()
        for uri, text in opened.items():
            client.open(uri, text)
            client.diagnostics(uri, 0)
        timings = measure_kind(client, definition_of_lines(LINES), kind, edits, PAUSE_SECONDS)
        if USER_URI in opened:
            client.diagnostics(USER_URI, 0, at_least=1)  # it has read the kind
    times, cpu_ms = [each.complete for each in timings], [each.cpu for each in timings]
    what = f"{LINES:,} lines: {KIND}, {what}"
    return row_of("pauses", what, times, bar=BARS[LINES], judged=median(cpu_ms), cpu_ms=cpu_ms)


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows: from an edit to its diagnostics. The bar is for the processor time until a pause ends."""
    edits = QUICK_EDITS if quick else EDITS
    others = {
        f"file:///benchmark/{number}.yaml": definition_of_lines(100, number).text for number in range(1, OTHERS + 1)
    }
    yield _measure(f"{OTHERS} others are open", others, edits)
    yield _measure("another uses its kind", {USER_URI: USER}, edits)
