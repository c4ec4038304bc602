"""Compares the oracle with recorded answers of kro: `python -m tests.oracle.compare VERSION DIR`.

DIR is a folder as `scripts/conformance` reads it. Prints for each file how many answers agree, then each difference.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.conformance.comparison import cases, first_difference
from tests.oracle.oracle import Case, ask

REPEAT = "20"

# The recorded answers are those of a commit between 0.9.3 and 0.9.4.
EXPLAINED = {
    ("rgds.jsonl", "kro-examples-gcp-gemma-on-tpu-rgd.yaml"): "kro 0.9.4 looks at externalRef before kinds",
    **{
        ("rgds-chained.jsonl", name): "the definitions that make the kinds it needs are not in the folder"
        for name in (
            "kro-examples-aws-cachecluster-cachecluster.yaml",
            "kro-examples-aws-dogsvscats-appstack-dogsvscats-rg.yaml",
            "kro-examples-kubernetes-saas-multi-tenant-tenant-rgd.yaml",
        )
    },
}

GRAPH = ("topologicalOrder", "applyOrder", "nodes", "expressionTypes", "crd")


def main(arguments: list[str]) -> int:
    """Print the shares; exit with status 1 if an answer differs."""
    version, directory = arguments[0], Path(arguments[1])
    differs = False
    for file, compare in {
        "rgds.jsonl": rgds,
        "rgds-chained.jsonl": chained,
        "faults.jsonl": faults,
        "simpleschema.jsonl": simple_schemas,
        "render.jsonl": renderings,
    }.items():
        compared = list(compare(version, directory, list(cases(directory / file))))
        different = [(name, difference) for name, difference in compared if difference]
        print(f"{file:20} {len(compared) - len(different)} of {len(compared)}")
        for name, difference in different:
            explained = EXPLAINED.get((file, name))
            print(f"  {name}: {explained or difference}")
            differs = differs or not explained
    return int(differs)


Compared = Iterator[tuple[str, str | None]]


def rgds(version: str, directory: Path, recorded: list[Case]) -> Compared:
    """Compare whole definitions."""
    answers = ask(version, (question(directory / "rgds" / each["file"]) for each in recorded), options(directory))
    for each, answer in zip(recorded, answers, strict=True):
        yield each["file"], described(answer, each)


def chained(version: str, directory: Path, recorded: list[Case]) -> Compared:
    """Compare definitions that need the kinds that the other definitions declare."""
    files = sorted((directory / "rgds").glob("*.yaml"))
    alone = ask(version, map(question, files), options(directory))
    made = [answer["crd"] for answer in alone if "crd" in answer]
    asked = [{**question(directory / "rgds" / each["file"]), "crds": made} for each in recorded]
    for each, answer in zip(recorded, ask(version, asked, options(directory)), strict=True):
        yield each["file"], described(answer, each)


def faults(version: str, directory: Path, recorded: list[Case]) -> Compared:
    """Compare the verdicts and the errors of definitions with a planted fault."""
    answers = ask(version, (question(directory / "faults" / each["file"]) for each in recorded), options(directory))
    for each, answer in zip(recorded, answers, strict=True):
        yield each["file"], verdict_differs(answer, each)


def simple_schemas(version: str, _directory: Path, recorded: list[Case]) -> Compared:
    """Compare SimpleSchemas."""
    asked = [{"spec": each["spec"], "types": each.get("types") or {}} for each in recorded]
    for number, (each, answer) in enumerate(zip(recorded, ask(version, asked, options()), strict=True)):
        if "schema" in each:
            yield str(number), first_difference(answer.get("schema"), each["schema"])
        else:
            yield str(number), errors_differ(answer, each)


def renderings(version: str, directory: Path, recorded: list[Case]) -> Compared:
    """Compare the results for instances, if the oracle reports them; only the instance and the states vary."""
    asked = [
        {**question(directory / "rgds" / each["rgdFile"]), "instance": each["instance"], "observed": each["observed"]}
        for each in recorded
    ]
    answers = ask(version, asked, options(directory))
    if any("expected" in answer for answer in answers):
        for each, answer in zip(recorded, answers, strict=True):
            yield each["name"], rendering_differs(answer.get("expected") or {}, each["expected"])


def question(file: Path) -> Case:
    """Return the question about the definition of a file."""
    return {"name": file.name, "rgd": file.read_text(encoding="utf-8")}


def options(directory: Path | None = None) -> list[str]:
    """Return the options of the oracle: repeated answers and the CRDs of the folder."""
    installed = ["--crds", str(directory / "crds")] if directory else []
    return ["--repeat", REPEAT, *installed]


def described(ours: Case, recorded: Case) -> str | None:
    """Return the difference between two answers about a definition, None if they agree."""
    for key in GRAPH:
        # Since 0.9.4 kro computes the waves in which it applies and deletes.
        if key == "applyOrder" and key not in ours:
            continue
        if difference := first_difference(sorted_nodes(ours).get(key), sorted_nodes(recorded).get(key)):
            return f"{key}{difference}; {ours.get('errors')}"
    return verdict_differs(ours, recorded)


def sorted_nodes(answer: Case) -> Case:
    """Return the answer with sorted dependencies."""
    nodes = [{**each, "dependencies": sorted(each["dependencies"])} for each in answer.get("nodes") or []]
    return {**answer, "nodes": nodes or None}


def verdict_differs(ours: Case, recorded: Case) -> str | None:
    """Return how the verdicts or their reasons differ."""
    if ours["accepted"] != recorded["accepted"]:
        return f"accepted: {ours}"
    for key in ("admissionErrors", "unknownFields"):
        # The recorded answers leave out the API server's errors about metadata.
        found = [each for each in ours.get(key) or [] if not each.startswith("metadata.")]
        if sorted(found) != sorted(recorded.get(key) or []):
            return f"{key}: {found}, not {recorded.get(key)}"
    return errors_differ(ours, recorded)


def errors_differ(ours: Case, recorded: Case) -> str | None:
    """Return how the errors differ; neither side needs to report all of several possible errors."""
    found, wanted = ({plain_error(each) for each in side.get("errors") or []} for side in (ours, recorded))
    return f"errors: {found}, not {wanted}" if found | wanted and not found & wanted else None


def plain_error(text: str) -> str:
    """Return an error as the recorder saw it.

    It knew no groups, only kinds, and read the numbers of a SimpleSchema from JSON, where they are all floats.
    """
    text = re.sub(r'group version "([^"]+)": schema not found', r'group version kind "\1": schema not found', text)
    text = re.sub(r'group version kind "([^",]+), Kind=\w+"', r'group version kind "\1"', text)
    return text.replace("unexpected type: int64", "unexpected type: float64")


def rendering_differs(ours: Case, recorded: Case) -> str | None:
    """Return the difference between two renderings, None if they agree."""
    if difference := first_difference(ours.get("instance"), recorded["instance"]):
        return f"instance{difference}"
    # The recorded errors forbid every key of a map, which the API server does not, and begin with the root's path.
    refused = [each.removeprefix("[].") for each in recorded.get("instanceErrors") or []]
    wanted_errors = sorted(each for each in refused if not each.endswith(" is a forbidden property"))
    if sorted(ours.get("instanceErrors") or []) != wanted_errors:
        return f"instanceErrors: {ours.get('instanceErrors')}, not {wanted_errors}"
    if refused:
        return None
    states, wanted = ([(each["id"], each["state"]) for each in side.get("nodes") or []] for side in (ours, recorded))
    if states != wanted:
        return f"states: {states}, not {wanted}"
    if recorded.get("varies"):
        return None
    for key in ("status", "conditions"):
        if difference := first_difference(ours.get(key) or [], recorded.get(key) or []):
            return f"{key}{difference}"
    for mine, theirs in zip(ours.get("nodes") or [], recorded.get("nodes") or [], strict=True):
        if difference := first_difference(mine.get("desired"), theirs.get("desired")):
            return f"{mine['id']} desired{difference}"
        if (mine.get("ready") == "ready") != (theirs.get("ready") == "ready"):
            return f"{mine['id']} ready: {mine.get('ready')}, not {theirs.get('ready')}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
