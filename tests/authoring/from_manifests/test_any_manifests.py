"""Whatever texts manifests have, the definition has no fault and gives the same objects."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.authoring.from_manifests.drafting import draft
from kro_ls.authoring.from_manifests.writing import definition_yaml
from tests.fixtures.manifests import KINDS, proof_of

_PARTS = st.sampled_from(
    [
        "${",
        "}",
        "$",
        "{",
        '"',
        "'",
        "\\",
        "shop",
        "staging",
        "prod",
        "-",
        ".",
        ":",
        "/",
        "=",
        " ",
        "\n",
        "a",
        "1",
        "#",
        "é",
    ]
)
_TEXTS = st.lists(_PARTS, max_size=9).map("".join)
_NAMES = st.sampled_from(["shop", "shop-a", "shop-b", "staging-shop", "other"])
_KEYS = st.sampled_from(["url", "LOG_LEVEL", "a.properties", "x-y", "namespace", "in"])


@st.composite
def _object(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["ConfigMap", "Secret", "ServiceAccount", "Namespace", "Service"]))
    metadata: dict[str, Any] = {"name": draw(_NAMES)}
    if draw(st.booleans()):
        metadata["labels"] = {"app": draw(_NAMES)}
    if kind != "Namespace" and draw(st.booleans()):
        metadata["namespace"] = draw(_NAMES)
    value: dict[str, Any] = {"apiVersion": "v1", "kind": kind, "metadata": metadata}
    if kind == "ConfigMap":
        value["data"] = draw(st.dictionaries(_KEYS, _TEXTS, max_size=4))
    if kind == "ServiceAccount" and draw(st.booleans()):
        value["imagePullSecrets"] = [{"name": draw(_NAMES)}]
    if kind == "Service":
        value["spec"] = {"selector": {"app": draw(_NAMES)}, "ports": [{"port": draw(st.sampled_from([80, 443]))}]}
    return value


def _distinct(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return objects of which no two have one kind and name: those in several namespaces are variants."""
    return list({(each["kind"], each["metadata"]["name"]): each for each in values}.values())


_INPUTS = st.lists(st.lists(_object(), min_size=1, max_size=6).map(_distinct), min_size=1, max_size=3)


@given(_INPUTS)
@settings(max_examples=60)
def test_the_same_objects_come_out(inputs: list[list[dict[str, Any]]]) -> None:
    made = draft(inputs, KINDS, "demo")
    text = definition_yaml(made)
    proof = proof_of(made, text)
    assert [each.message for each in proof.diagnostics] == [], text
    assert proof.differences == (), text
