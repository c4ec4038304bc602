"""Asks kubectl's reader and kro-ls about random YAML documents: `python -m tests.differential.documents SEED COUNT`.

With `--record` it writes kubectl's answers to those that `tests/conformance/test_documents.py` looks at.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, cast

from kro_ls.kro.versions.version import NEWEST
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.text import Text
from tests.conformance.comparison import Case, first_difference
from tests.differential.generation.documents import random_document
from tests.oracle.oracle import ROOT, ask

RECORDED = ROOT / "tests" / "conformance" / "recorded" / str(NEWEST) / "documents.jsonl"

_BATCH = 500
_ACCEPTED = frozenset({YamlErrorCode.DUPLICATE_KEY, YamlErrorCode.SECOND_VALUE})


def main(arguments: list[str]) -> int:
    """Compare, and return 1 where something differs."""
    if arguments == ["--record"]:
        record()
        return 0
    seed, count = map(int, arguments)
    texts = [random_document(Random(f"{seed}-{number}")) for number in range(count)]
    refused = different = 0
    for text, theirs in zip(texts, answers(texts), strict=True):
        refused += "error" in theirs
        found = difference(text, theirs)
        if found:
            different += 1
            print(f"{text!r}\n    {found}")
    print(f"seed {seed}: {count} documents, {refused} refused; {different} differ")
    return 1 if different else 0


def record() -> None:
    """Write kubectl's answers to some documents."""
    texts = list(dict.fromkeys(random_document(Random(f"recorded-{number}")) for number in range(3000)))
    kept = ({"text": text, **answer} for text, answer in zip(texts, answers(texts), strict=True))
    lines = (json.dumps(each, separators=(",", ":")) for each in kept)
    RECORDED.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def answers(texts: list[str]) -> Iterator[Case]:
    """Yield kubectl's answers to documents, in their order."""
    batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
    for found in ask(str(NEWEST), [{"yaml": each} for each in batches]):
        yield from cast("list[Case]", found)


def difference(text: str, theirs: Case) -> str | None:
    """Return how kro-ls reads a document otherwise than kubectl, None where both agree."""
    document = parse_stream(Text(text)).documents[0]
    if any(each.code in _ACCEPTED for each in document.errors):
        return None  # a part that is not read may be refused by one and not by the other
    errors = document.errors
    if "error" in theirs:
        return None if errors else f"ours {document.to_python()!r}, kubectl's {theirs['error']}"
    wanted = theirs.get("json")
    if errors:
        # Only an object can be applied.
        is_object = isinstance(wanted, dict)
        return f"ours {[each.message for each in errors]}, kubectl's {wanted!r}" if is_object else None
    ours = document.to_python()
    is_object = isinstance(wanted, dict) or isinstance(ours, dict)
    return first_difference(_plain(ours), _plain(wanted)) if is_object else None


def _plain(value: Any) -> Any:
    """Return JSON with whole numbers as Kubernetes has them."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return float(value) if type(value) is int else value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
