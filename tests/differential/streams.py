"""Asks kubectl's reader and kro-ls about random files: `python -m tests.differential.streams SEED COUNT`."""

from __future__ import annotations

import re
import sys
from collections import Counter
from random import Random

from kro_ls.analysis.model.model import ResourceGraphDefinition
from kro_ls.kro.forms import KIND
from kro_ls.kro.versions.version import NEWEST
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.nodes import Mapping, text_of
from kro_ls.yaml_positions.text import Text
from tests.conformance.comparison import Case
from tests.differential.generation.streams import random_stream
from tests.oracle.oracle import ask

_KNOWN = (
    (
        r"\{kind: A\}\n ---\n",
        "after an object that is not JSON, an indented `---` ends all that kubectl reads; kro-ls reads on and warns",
    ),
    (
        r"kind: Other\n ---\n",
        "an indented `---` is a part of the value before it, so that two documents meet in a List with an RGD's `spec`",
    ),
)


def main(arguments: list[str]) -> int:
    """Compare, and return 1 where something differs."""
    seed, count = map(int, arguments)
    texts = [random_stream(Random(f"{seed}-{number}")) for number in range(count)]
    different, explained = 0, Counter[str]()
    for text, answer in zip(texts, ask(str(NEWEST), [{"stream": text} for text in texts]), strict=True):
        found = difference(text, answer)
        reason = next((reason for pattern, reason in _KNOWN if re.search(pattern, text)), None) if found else None
        if reason:
            explained[reason] += 1
        elif found:
            different += 1
            print(f"{found}\n    {text!r}\n    {answer}")
    print(f"seed {seed}: {count} files, {different} differ without a reason")
    for why, times in explained.items():
        print(f"  {times} times: {why}")
    return 1 if different else 0


def difference(text: str, answer: Case) -> str | None:
    """Return how kro-ls reads a file otherwise than kubectl, None where both agree."""
    diagnosis = diagnose_text(Text(text))
    every = [each for each in diagnosis.diagnostics if each.severity is Severity.ERROR]
    # Keys of documents that no separator divides meet in one definition, which then has fields that it should not have.
    errors = [each.message for each in every if each.code == "yaml-syntax"]
    ours = [_name(each.rgd) for each in diagnosis.analysis.rgds]
    theirs = [name for kind, name in answer["objects"] if kind == KIND]
    refused = answer.get("errors") or []
    if refused:
        # A file is checked if it has a definition, or a text at the left margin that is meant as one.
        is_reported = any(each.code == "yaml-syntax" for each in diagnosis.diagnostics) or every
        concerns = theirs or ours or re.search("^kind: ResourceGraphDefinition", text, re.MULTILINE)
        return f"kubectl refuses it, kro-ls does not: {ours}" if concerns and not is_reported else None
    if errors:
        return f"kubectl reads it, kro-ls does not: {errors}"
    return None if ours == theirs else f"kubectl finds {theirs}, kro-ls {ours}"


def _name(rgd: ResourceGraphDefinition) -> str:
    root = rgd.frame.chunk.root
    metadata = root.get("metadata") if isinstance(root, Mapping) else None
    return text_of(metadata.get("name")) or "" if isinstance(metadata, Mapping) else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
