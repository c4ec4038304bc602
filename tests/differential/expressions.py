"""Asks kro and kro-ls for the values of random expressions: `python -m tests.differential.expressions SEED COUNT`.

With `--record` it writes kro's answers to those that `tests/conformance/test_values.py` looks at.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, cast

from msgspec import Struct

from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import MAX_INT, MIN_INT, EvaluationError
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.declarations import Environment
from kro_ls.kro.conversion import to_json
from kro_ls.kro.environment import LIBRARIES, base_environment, parse
from kro_ls.kro.versions.version import NEWEST
from kro_ls.openapi.cel_values import wrap
from kro_ls.openapi.json_values import JsonObject
from tests.conformance.comparison import Case, first_difference
from tests.differential.generation.calls import random_expression
from tests.fixtures.declared_variables import declare_variables
from tests.oracle.oracle import ROOT, ask

RECORDED = ROOT / "tests" / "conformance" / "recorded" / str(NEWEST) / "values.jsonl"

_BATCH = 500
_CHOSEN = (
    "[dyn({'a': 1}), [2]].flatten()",
    "['a', dyn(1)].min()",
    "quantity('1Gi').sub(quantity('1')) == quantity('1Gi').sub(quantity('1'))",
    "quantity('1Gi').sub(quantity('1')) != quantity('1Gi').sub(quantity('1'))",
    "[quantity('2')] == [quantity('1').add(quantity('2'))]",
    "{}[?cidr('10.0.0.0/8')]",
    "optional.none()[?dyn(1 / 0)]",
    "json.encode(duration('1.5s'))",
    "type(schema.metadata.name) == string",
    "false && type(1) == int",
    "[type(1)].exists(x, x == type(2))",
    "timestamp('0001-01-01T00:00:00Z')",
    "double('NaN') < 1.0",
    "schema.spec.ll + [['x']]",
    "schema.spec.ll + schema.spec.ll",
    "schema.spec.li[dyn(1.0)]",
    "{b'a': 1}.size()",
    "dyn(null) in schema.spec.ll",
)
_RECORDED_SEED, _RECORDED_COUNT = "recorded", 2500
_NOT_FINITE = "json: unsupported value"


def _list(items: Any) -> Any:
    return {"type": "array", "items": items}


def _object(**properties: Any) -> Any:
    return {"type": "object", "properties": properties}


_STRING, _INTEGER = {"type": "string"}, {"type": "integer"}
SCHEMA = _object(
    apiVersion=_STRING,
    kind=_STRING,
    metadata=_object(name=_STRING, namespace=_STRING),
    spec=_object(
        s=_STRING,
        i=_INTEGER,
        n={"type": "number"},
        b={"type": "boolean"},
        o={"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        l=_list(_STRING),
        li=_list(_INTEGER),
        m={"type": "object", "additionalProperties": _STRING},
        ll=_list(_list(_STRING)),
        p=_object(x=_INTEGER, y=_STRING),
        lp=_list(_object(x=_INTEGER)),
    ),
)
INSTANCE: JsonObject = {
    "apiVersion": "kro.run/v1",
    "kind": "App",
    "metadata": {"name": "one", "namespace": "default"},
    "spec": {
        "s": "text",
        "i": 7,
        "n": 1.5,
        "b": True,
        "o": {"a": 1, "l": [1, "x", None], "f": 2.5},
        "l": ["a", "b"],
        "li": [3, 1, 2],
        "m": {"a": "v"},
        "ll": [["a"], ["b", "c"]],
        "p": {"x": 1, "y": "why"},
        "lp": [{"x": 1}, {"x": 2}],
    },
}


class Answer(Struct, frozen=True):
    """What becomes of an expression: its type, None where the checker refuses it, and its value or its error."""

    type: str | None
    value: Any = None
    error: str = ""


def main(arguments: list[str]) -> int:
    """Compare, and return 1 where something differs."""
    if arguments == ["--record"]:
        record()
        return 0
    seed, count = map(int, arguments)
    texts = [random_expression(Random(f"{seed}-{number}")) for number in range(count)]
    checked = failed = different = 0
    for text, theirs in zip(texts, answers(texts), strict=True):
        checked += "checkError" not in theirs
        failed += "error" in theirs
        found = difference(text, theirs)
        if found:
            different += 1
            print(f"{text}\n    {found}")
    print(f"seed {seed}: {count} expressions, {checked} check, {failed} of them fail; {different} differ")
    return 1 if different else 0


def record() -> None:
    """Write kro's answers to the expressions that check, without those that Go's order of maps makes vary."""
    texts = [*_CHOSEN, *(random_expression(Random(f"{_RECORDED_SEED}-{n}")) for n in range(_RECORDED_COUNT))]
    asked = list(dict.fromkeys(texts))
    repeated = [list(answers(asked)) for _ in range(5)]
    kept = [
        {"expression": text, **found[0]}
        for text, *found in zip(asked, *repeated, strict=True)
        if "checkError" not in found[0] and all(each == found[0] for each in found)
    ]
    lines = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in kept)
    RECORDED.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def answers(texts: list[str]) -> Iterator[Case]:
    """Yield kro's answers to expressions, in their order.

    Protobuf's errors hold a space or a no-break space, by chance for each build of a program (`internal/errors`), so
    that no program relies on them; here it is a space.
    """
    batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
    for found in ask(str(NEWEST), [question(each) for each in batches]):
        for each in cast("list[Case]", found):
            yield each | {"error": each["error"].replace("proto:\xa0", "proto: ")} if "error" in each else each


def question(texts: Iterable[str]) -> Case:
    """Return what the oracle is asked for the values of expressions."""
    return {"expressions": list(texts), "spec": SCHEMA, "instance": INSTANCE}


def difference(text: str, theirs: Case) -> str | None:
    """Return how kro-ls evaluates an expression otherwise than kro, None where both agree."""
    ours = answer(text)
    if ours.type is None or "checkError" in theirs:
        agree = ours.type is None and "checkError" in theirs
        return None if agree else f"ours {ours.type or ours.error}, kro's {theirs.get('checkError', theirs)}"
    if ours.type != theirs["type"]:
        return f"ours {ours.type}, kro's {theirs['type']}"
    if theirs.get("error", "").startswith(_NOT_FINITE) and not ours.error:
        return None  # which Go cannot write as JSON
    if ours.error or "error" in theirs:
        agree = bool(ours.error) is ("error" in theirs)
        return None if agree else f"ours {ours.error or json.dumps(ours.value)}, kro's {theirs}"
    wanted = _as_numbers(theirs["value"])
    found = first_difference(ours.value, wanted)
    # The entries of a map come in any order.
    return found if found and _sorted(ours.value) != _sorted(wanted) else None


def _as_numbers(value: Any) -> Any:
    """Return JSON with numbers beyond 64 bits as the doubles that they are."""
    if isinstance(value, list):
        return [_as_numbers(each) for each in value]
    if isinstance(value, dict):
        return {key: _as_numbers(each) for key, each in value.items()}
    return float(value) if type(value) is int and not MIN_INT <= value <= MAX_INT else value


def _sorted(value: Any) -> str:
    return "".join(sorted(json.dumps(value, sort_keys=True)))


def answer(text: str) -> Answer:
    """Return kro-ls's answer to an expression."""
    parsed = parse(text)
    checked = check(parsed.root, _environment())
    errors = [each.message for each in parsed.errors] + [each.message for each in checked.errors]
    if errors:
        return Answer(None, error=errors[0])
    try:
        program = compile_program(parsed.root, LIBRARIES, checked)
        return Answer(str(checked.type), to_json(program.evaluate({"schema": wrap(INSTANCE, SCHEMA)})))
    except EvaluationError as error:
        return Answer(str(checked.type), error=error.message)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return declare_variables(base_environment(), {"schema": SCHEMA})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
