"""Records kro's answers to our own definitions: `scripts/record VERSION [SET...]`.

Writes `recorded/VERSION/SET.jsonl`, a definition on each line, and of the newest release also `SET-instances.jsonl`, an
instance on each line. Of other versions only the verdict and the graph are kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from kro_ls.kro.versions.version import NEWEST
from tests.conformance.comparison import Case
from tests.conformance.own_definitions import DEFINITIONS, SETS, Definition, definitions
from tests.oracle.oracle import ask

RECORDED = Path(__file__).parent / "recorded"
REPEAT = 60
WHOLE = str(NEWEST)
VERDICT = frozenset(
    "name digest accepted errors admissionErrors unknownFields crdErrors topologicalOrder nodes".split()
)


def main(arguments: list[str]) -> int:
    """Record the named sets, or all."""
    version, *names = arguments
    folder = RECORDED / version
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or SETS:
        asked = definitions(name)
        answers, instances = answers_to(version, asked, chained=name == "chained", repeat=REPEAT)
        write(folder / f"{name}.jsonl", answers)
        if version == WHOLE:
            write(folder / f"{name}-instances.jsonl", instances)
        print(f"{name}: {len(answers)} definitions, {len(instances)} instances")
    return 0


def answers_to(
    version: str, asked: Sequence[Definition], *, chained: bool, repeat: int
) -> tuple[list[Case], list[Case]]:
    """Return kro's answers to definitions and to their instances, as far as they are kept."""
    options = ("--repeat", str(repeat), "--crds", str(DEFINITIONS / "crds"))
    crds = made_crds(version, asked, options) if chained else []
    answers = ask(version, [{"name": each.name, "rgd": each.text, "crds": crds} for each in asked], options)
    digests = [each.digest for each in asked]
    answers = [{"digest": digest, **answer} for digest, answer in zip(digests, answers, strict=True)]
    if version != WHOLE:
        return [{name: value for name, value in each.items() if name in VERDICT} for each in answers], []
    instances = [(each, instance) for each in asked for instance in each.instances]
    lived = ask(
        version,
        [
            {"rgd": each.text, "crds": crds, "instance": instance.object, "observed": instance.observed}
            for each, instance in instances
        ],
        options,
    )
    for (each, instance), answer in zip(instances, lived, strict=True):
        if "expected" not in answer:
            print(f"kro {version} refuses {each.name}, so {instance.name} has no answer", file=sys.stderr)
    return (
        answers,
        [
            {"digest": instance.digest, "name": instance.name, "expected": answer.get("expected")}
            for (_, instance), answer in zip(instances, lived, strict=True)
        ],
    )


def made_crds(version: str, asked: Sequence[Definition], options: Sequence[str]) -> list[Case]:
    """Return the CRDs that definitions make which may need one another's."""
    crds: list[Case] = []
    while True:
        answers = ask(version, [{"rgd": each.text, "crds": crds} for each in asked], options)
        made = [answer["crd"] for answer in answers if "crd" in answer]
        if len(made) == len(crds):
            return made
        crds = made


def write(file: Path, answers: list[Case]) -> None:
    """Write answers as JSON lines, in one way only."""
    lines = (json.dumps(each, ensure_ascii=False, separators=(",", ":"), sort_keys=True) for each in answers)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
