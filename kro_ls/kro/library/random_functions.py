"""kro's reproducible random values (kro `pkg/cel/library/random.go`), all taken from the SHA-256 of the seed."""

from __future__ import annotations

import hashlib

from kro_ls.cel.evaluation.costs import Cost
from kro_ls.cel.evaluation.failures import Budget, EvaluationError
from kro_ls.golang.utf8 import utf8

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def _seeded_string(budget: Budget, length: int, seed: str) -> str:
    if length <= 0:
        raise EvaluationError("random.seededString length must be positive")
    budget.spend_text(length, is_ascii=True)
    digest = hashlib.sha256(utf8(seed)).digest()
    numbers = [int.from_bytes(digest[start : start + 4], "big") for start in range(0, len(digest), 4)]
    period = "".join(_ALPHABET[number % len(_ALPHABET)] for number in numbers)
    return (period * (length // len(period) + 1))[:length]


def _seeded_int(low: int, high: int, seed: str) -> int:
    if low >= high:
        raise EvaluationError("random.seededInt min must be less than max")
    return low + int.from_bytes(hashlib.sha256(utf8(seed)).digest()[:8], "big") % (high - low)


IMPLEMENTATIONS = {
    "random.seededString_int_string": _seeded_string,
    "random.seededInt_int_int_string": _seeded_int,
}
BUDGETED = frozenset({"random.seededString_int_string"})
COSTS = dict.fromkeys(IMPLEMENTATIONS, Cost(60, characters=8))
