"""Tests that kro 0.10 and kro-ls find the same expressions in unusual texts."""

from __future__ import annotations

import json
from random import Random
from typing import cast

import pytest

from kro_ls.analysis.model.expressions import compile_scalar, extract, is_standalone
from kro_ls.kro.versions.dialect import QUOTED
from kro_ls.kro.versions.version import NEXT
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text
from tests.oracle.oracle import Case, ask
from tests.oracle.test_oracle import needs_go

_VERSION = "0.10.dev"
_SIGNS = (
    "${", "$", "{", "}", "'", '"', "\\", "$${", "a", "x.y", "}}", "${'", "}'", '"}', '${"', "\\'", '\\"', " ", "\n",
    "é", "'''", '"""', "r'", "+", "[", "]", "(", ")", "{'k': ", "${{", "//",
)  # fmt: skip
_STRINGS = ("'", '"', "'''", '"""', "r'", 'r"')
_INSIDE = ("a", "{", "}", "${", "${x}", "{}", "\\\\", "'", '"', "\\'", '\\"', " ", "$", "}{")


def signs(random: Random) -> str:
    """Return a text of characters that matter to the scan."""
    text = "".join(random.choice(_SIGNS) for _ in range(random.randint(1, 10)))
    return text if random.random() < 0.5 else f"${{{text}}}"


def nearly_cel(random: Random) -> str:
    """Return a text with expressions that join strings, most of them valid CEL."""
    pieces = []
    for _ in range(random.randint(1, 3)):
        strings = []
        for _ in range(random.randint(1, 3)):
            opening = random.choice(_STRINGS)
            inside = "".join(random.choice(_INSIDE) for _ in range(random.randint(0, 3)))
            strings.append(f"{opening}{inside}{opening.removeprefix('r')}")
        pieces.append(random.choice(["", "", "a", "'", '"', "$"]) + f"${{{' + '.join(strings)}}}")
    return "".join(pieces)


@needs_go
@pytest.mark.parametrize("seed", [1, 2])
def test_expressions_of_texts(seed: int) -> None:
    random = Random(seed)
    texts = [make(random) for make in (signs, nearly_cel) for _ in range(1000)]
    for text, answer in zip(texts, cast("list[Case]", ask(_VERSION, [{"texts": texts}])[0]), strict=True):
        found = extract(text, QUOTED)
        assert bool(found.nested or found.unterminated) == ("error" in answer), text
        if "error" not in answer:
            compiled = compile_scalar(text, found)
            assert ([compiled.text] if compiled else []) == answer.get("expressions", []), text
            assert is_standalone(text, found) == answer.get("standalone", False), text


def definition(text: str) -> str:
    """Return an RGD with a text in a field."""
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"text": text}}
    resources = [{"id": "config", "template": data}]
    head = {"apiVersion": "kro.run/v1alpha1", "kind": "ResourceGraphDefinition", "metadata": {"name": "a"}}
    return json.dumps({**head, "spec": {"schema": {"apiVersion": "v1", "kind": "App"}, "resources": resources}})


@needs_go
@pytest.mark.parametrize("seed", [3, 4])
def test_definitions_with_such_texts(seed: int) -> None:
    random = Random(seed)
    texts = [make(random) for make in (signs, nearly_cel, nearly_cel) for _ in range(200)]
    answers = ask(_VERSION, [{"rgd": definition(text)} for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        found = diagnose_text(Text(definition(text)), Settings(version=NEXT)).diagnostics
        errors = [each.message for each in found if each.severity is Severity.ERROR]
        assert answer["accepted"] is not bool(errors), (text, errors, answer.get("errors"))
