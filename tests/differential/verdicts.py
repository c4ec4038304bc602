"""Records kro's verdicts on generated definitions whose YAML, metadata or schema is odd: `python -m
tests.differential.verdicts` writes those that `tests/conformance/test_verdicts.py` looks at.
"""

from __future__ import annotations

import json
import re
from random import Random

from kro_ls.kro.versions.version import NEWEST
from kro_ls.rules.diagnostics import Severity
from tests.conformance.comparison import Case
from tests.conformance.own_definitions import DEFINITIONS
from tests.conformance.recorded import CRD_REFUSED
from tests.conformance.schemas import diagnose_closed, schemas
from tests.differential.generate import ODD
from tests.oracle.oracle import ROOT, ask

RECORDED = ROOT / "tests" / "conformance" / "recorded" / str(NEWEST) / "verdicts.jsonl"
_COUNT = 150
_LONGEST = 20_000


def record() -> None:
    """Write the verdicts of kro and of the API server, and the fields that they come from."""
    made = [make(Random(f"recorded-{number}"), NEWEST) for make in ODD for number in range(_COUNT)]
    texts = list(dict.fromkeys(each.text for each in made if len(each.text) < _LONGEST))
    kept = [{"rgd": text, **_verdict(answer)} for text, answer in zip(texts, answers(texts), strict=True)]
    lines = (json.dumps(each, separators=(",", ":")) for each in kept)
    RECORDED.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def answers(texts: list[str]) -> list[Case]:
    """Return kro's answers to definitions."""
    return ask(str(NEWEST), [{"rgd": text} for text in texts], ("--crds", str(DEFINITIONS / "crds")))


def _verdict(answer: Case) -> Case:
    reasons = [*answer.get("admissionErrors", ()), *answer.get("unknownFields", ()), *answer.get("errors", ())]
    reasons += answer.get("crdErrors", ())
    return {
        "accepted": answer["accepted"],
        "crdAccepted": answer["accepted"] and not answer.get("crdErrors"),
        "reason": reasons[0][:120] if reasons else "",
    }


def difference(recorded: Case) -> str | None:
    """Return how kro-ls judges a definition otherwise, None where both agree."""
    diagnosis = diagnose_closed(recorded["rgd"], schemas(DEFINITIONS), NEWEST)
    errors = [each.message for each in diagnosis.diagnostics if each.severity is Severity.ERROR]
    if not diagnosis.analysis.rgds and not recorded["accepted"]:
        return None  # for both there is nothing to apply
    if bool(errors) is recorded["accepted"]:
        return f"ours {errors}, kro's {recorded['reason']}"
    refused = [each.message for each in diagnosis.diagnostics if re.search(CRD_REFUSED, each.message)]
    if recorded["accepted"] and bool(refused) is recorded["crdAccepted"]:
        return f"the CRD: ours {refused}, Kubernetes' {recorded['reason']}"
    return None


if __name__ == "__main__":
    record()
