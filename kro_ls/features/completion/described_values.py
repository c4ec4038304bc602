"""The values that a description lists: Kubernetes' published schemas have few enums, and name the values in prose."""

from __future__ import annotations

import re
from functools import lru_cache

_LIST = re.compile(
    r"\b(?:(?:Must|Can|Should) be (?:one of |either )?|(?:One|either) of |"
    r"(?:Valid|Allowed|Supported|Possible|Permitted) (?:values?|options) (?:are|include):? |Supports )"
    r"((?:[\"'`]?[A-Z][A-Za-z0-9]+[\"'`]?(?:, or |, and | or | and |, |\b))+)"
)
_IN_BRACKETS = re.compile(r"\(([A-Z][A-Za-z0-9]+(?:(?:, or | or |, )[A-Z][A-Za-z0-9]+)+(?:, or | or |, )?)\)")
_CODE_LIST = re.compile(r": ((?:`[A-Za-z0-9]+`(?:, or |, and | or | and |, |(?=[.;]|$)))+)")
_CODE = re.compile(r"`([A-Za-z0-9]+)`")
_VALUE = re.compile(r"[A-Z][A-Za-z0-9]+")
_BULLETS = re.compile(
    r"(?:Valid|Allowed|Supported|Possible|Permitted)(?: enum)? values(?: are)?:\s((?:\s*- [^\n]+\n?)+)"
)
_STARS = re.compile(r"one of the following values:\s((?:.|\n)*)")
_STAR = re.compile(r"(?:^|\s)\* ([A-Z][A-Za-z0-9]+):")
_BULLET = re.compile(r"- [\"'`]([A-Za-z0-9]+)[\"'`]")


_FORMS = (
    (_BULLETS, _BULLET),
    (_STARS, _STAR),
    (_LIST, _VALUE),
    (_CODE_LIST, _CODE),
    (_IN_BRACKETS, _VALUE),
)


@lru_cache(maxsize=1024)
def described_values(description: str) -> tuple[str, ...]:
    """Return the values that a description of a string field lists, in its order; nothing where it is in doubt."""
    for whole, each in _FORMS:
        listed = whole.search(description)
        found = each.findall(listed[1]) if listed else []
        if len(found) > 1:
            return tuple(dict.fromkeys(found))
    return ()
