"""kro's hash functions (kro `pkg/cel/library/hash.go`)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import Cost
from kro_ls.golang.utf8 import utf8

if TYPE_CHECKING:
    from kro_ls.cel.evaluation.failures import Budget

_FNV_OFFSET = 0xCBF29CE484222325
_FNV_PRIME = 0x100000001B3


def _fnv64a(budget: Budget, text: str) -> bytes:
    data = utf8(text)
    budget.spend(2 * len(data))
    value = _FNV_OFFSET
    for byte in data:
        value = (value ^ byte) * _FNV_PRIME % 2**64
    return value.to_bytes(8, "big")


def _sha256(text: str) -> bytes:
    return hashlib.sha256(utf8(text)).digest()


def _md5(text: str) -> bytes:
    return hashlib.md5(utf8(text), usedforsecurity=False).digest()


IMPLEMENTATIONS = {"hash.fnv64a_string": _fnv64a, "hash.sha256_string": _sha256, "hash.md5_string": _md5}
BUDGETED = frozenset({"hash.fnv64a_string"})
COSTS = dict.fromkeys(IMPLEMENTATIONS, Cost(15, characters=8))
