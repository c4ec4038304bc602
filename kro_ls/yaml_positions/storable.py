"""Tells what is too large for any cluster, so that it need not be read into nodes.

Source of the limit: k8s.io/apiserver `pkg/server/config.go`, `MaxRequestBodyBytes`.
"""

from __future__ import annotations

from typing import Any, Final

from ruamel.yaml.events import (
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from kro_ls.yaml_positions.events import ParseFailure, events
from kro_ls.yaml_positions.resolution import ScalarStyle, is_text

MOST_BYTES: Final = 3 * 1024**2

_STARTS, _ENDS = (MappingStartEvent, SequenceStartEvent), (MappingEndEvent, SequenceEndEvent)
_MERGE_KEY = "<<"
_LISTS = frozenset([("items", 2), ("resources", 3)])
"""The lists whose items are looked at one by one, and how deep they stand: `items` are sent one by one, and the
resources of a definition are to stay readable where only all of them together are too large.
"""


def is_storable(text: str) -> bool:
    """Whether the API server might take what a text says: false only where its JSON is too large for sure.

    What the parser refuses is for others to tell.
    """
    if 3 * len(text) <= MOST_BYTES:  # `a,` in braces is counted as six bytes, and nothing as more for its length
        return True
    depth, size = 0, -1  # nothing stands after the last value
    items_at = -1
    last = ""
    event: Any
    try:
        for event in events(text):
            kind = type(event)
            if depth == items_at:
                size = 0  # the next item begins
            if kind is ScalarEvent:
                last = event.value
                size += _least_bytes(event)
                if size > MOST_BYTES:
                    return False
            elif kind in _STARTS:
                depth += 1
                if (last, depth) in _LISTS:
                    items_at = depth
            elif kind in _ENDS:
                depth -= 1
    except ParseFailure:
        return True
    return True


def _least_bytes(scalar: Any) -> int:
    """Return how many bytes of JSON a scalar makes at least, with what stands between it and the next one."""
    text: str = scalar.value
    if scalar.style:
        return len(text) + 3 if scalar.ctag is None else 2
    if scalar.ctag is not None or text == _MERGE_KEY or not is_text(text, ScalarStyle.PLAIN):
        return 2
    return len(text) + 3
