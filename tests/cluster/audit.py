"""The writes of kro in the API server's audit log."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tests.cluster.client import Object

Address: TypeAlias = tuple[str, str, str]
"""The plural, the namespace and the name of an object."""


@dataclass(frozen=True, slots=True)
class Write:
    """A request of kro that changes an object, and the code of the answer."""

    verb: str
    address: Address
    subresource: str
    sent: Object
    code: int

    @property
    def succeeded(self) -> bool:
        """Whether the API server accepted it."""
        return self.code < 300


class AuditLog:
    """The log, as far as it is read; threads may share it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._offset = 0
        self._writes: list[Write] = []
        self._lock = threading.Lock()

    def writes(self) -> list[Write]:
        """Return all writes so far, in the order of their answers."""
        with self._lock:
            with self._file.open("rb") as log:
                log.seek(self._offset)
                for line in log:
                    if not line.endswith(b"\n"):
                        break  # an incomplete line
                    self._offset += len(line)
                    self._writes.append(_write(json.loads(line)))
            return list(self._writes)


def _write(event: Any) -> Write:
    reference = event.get("objectRef") or {}
    address = (reference.get("resource", ""), reference.get("namespace", ""), reference.get("name", ""))
    sent = event.get("requestObject") or {}
    return Write(event["verb"], address, reference.get("subresource", ""), sent, event["responseStatus"]["code"])
