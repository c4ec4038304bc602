"""Random files of several documents: how they are cut is kubectl's, not YAML's."""

from __future__ import annotations

import json
from random import Random

_HEADS = (
    "",
    "",
    "",
    "",
    "---\n",
    "--- # first\n",
    "# c\n---\n",
    "\ufeff",
    "\n\n",
    "%YAML 1.1\n---\n",
    "...\n",
    "---\n...\n",
    "  \n",
    "\t\n",
)
_SEPARATORS = (
    "---\n", "---\n", "---\n", "--- \n", "---\t\n", "--- # c\n", "---#c\n", "--- x\n", "----\n", "...\n", "...\n",
    "... \n",
    "... # c\n", "...x\n", " ---\n", "---\r\n", "\n---\n\n", "---\n---\n", "...\n---\n", "...\n...\n", "# c\n---\n",
    "...\n%YAML 1.1\n---\n", "---\n%TAG ! tag:a,2000:\n---\n", "---\n\ufeff", "--- {}\n", "--- |\n", "---\n...\n---\n",
    "--\n",
    "...\n# c\n", "...\n\n", "---\n# c\n...\n",
)  # fmt: skip
_OTHERS = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n", "a: 1\n", "x\n", "- x\n", "", "# c\n", "null\n", "~\n",
    "{}\n", "[]\n",
    '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "j"}}\n', "a: [\n", "a: b: c\n",
    "kind: A\nb: |\n  text\n  ---\n",
    'kind: A\nb: "x\n\n  y"\n', "\tx\n", "kind: ''\n", "kind: 1\n", "kind: A\nkind: B\n", "'\n", "%YAML 1.1\n",
    "? a\n: b\n", "*a\n", "&a\n",
    "kind: A\nitems: []\n", "kind: A\nitems: x\n", '{"kind": "A"}{"kind": "B"}\n', "@x\n", "kind: A\n b: 1\n",
    "!!str\n", "|\n  x\n", "{kind: A}\n",
)  # fmt: skip
_TAILS = (
    "",
    "",
    "",
    "...",
    "...\n",
    "---",
    "---\n",
    "\n\n",
    "# c",
    "--- x",
    "...\nx\n",
    " ",
    "...\n---\n",
    "... x\n",
    "\u0000",
    "...#\n",
)


def random_stream(random: Random) -> str:
    """Return a file with at least one ResourceGraphDefinition in it, each with its own name."""
    count = random.choice([1, 2, 2, 3, 3, 4])
    definition = random.randrange(count)
    text = random.choice(_HEADS)
    for number in range(count):
        if number:
            text += random.choice(_SEPARATORS)
        text += _definition(random, number) if number == definition or random.random() < 0.2 else random.choice(_OTHERS)
    text += random.choice(_TAILS)
    if random.random() < 0.15:
        text = text.rstrip("\n")
    return text.replace("\n", "\r\n") if random.random() < 0.08 else text


def _definition(random: Random, number: int) -> str:
    text = (
        f"apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata:\n  name: rgd{number}\n"
        f"spec:\n  schema:\n    apiVersion: v1alpha1\n    kind: App{number}\n"
    )
    match random.randrange(10):
        case 0:
            schema = {"apiVersion": "v1alpha1", "kind": f"App{number}"}
            value = {
                "apiVersion": "kro.run/v1alpha1",
                "kind": "ResourceGraphDefinition",
                "metadata": {"name": f"rgd{number}"},
            }
            return json.dumps({**value, "spec": {"schema": schema}}, indent=random.choice([None, 2])) + random.choice(
                ["\n", ""]
            )
        case 1:
            return "apiVersion: v1\nkind: List\nitems:\n- " + text.replace("\n", "\n  ").rstrip(" ")
        case 2:
            return text + random.choice(
                ["spec: {schema: {apiVersion: v1, kind: Z}}\n", "kind: Other\n", "# end\n", "...\n"]
            )
        case _:
            return text
