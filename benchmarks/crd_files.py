"""Writes CustomResourceDefinitions as large as those of real operators: nested schemas that are mostly descriptions."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIZES = (12_000, 20_000, 32_000, 48_000, 65_000, 95_000, 180_000)
"""The minimum sizes of the files in bytes, in turns; the average is about 80,000."""
GROUPS = 100

_WORDS = (
    "the a of to is and in for that be must when this not set value field name object resource reference list default "
    "controller namespace selector cluster secret key status condition empty optional immutable specified policy "
    "endpoint certificate timeout retries container volume label annotation request limit version provider Kubernetes"
).split()
_NAMES = (
    "name endpoint timeout policy selector template secretRef credentials region network subnet volume storage retries "
    "schedule backup restore metrics tls issuer certificate mode strategy limits requests affinity tolerations labels "
    "annotations ports protocol address replicas image args command environment probes sidecars owner project"
).split()


def group_version(number: int) -> str:
    """Return the apiVersion of a definition's objects."""
    return f"group{number % GROUPS}.example.com/v1"


def kind(number: int) -> str:
    """Return the kind that a definition declares."""
    return f"Widget{number:04}"


def _description(chance: random.Random, indent: str) -> Iterator[str]:
    yield f"{indent}description: |-"
    for _ in range(chance.randint(1, 5)):
        words = chance.choices(_WORDS, k=chance.randint(8, 16))
        yield f"{indent}  {' '.join(words).capitalize()}."


def _property(chance: random.Random, depth: int) -> Iterator[str]:
    """Return the schema of one property, without the indentation of its place."""
    yield from _description(chance, "")
    shape = chance.random()
    if depth < 7 and shape < 0.45:
        yield "properties:"
        yield from (f"  {line}" for line in _properties(chance, depth + 1, chance.randint(2, 5)))
        yield "type: object"
    elif depth < 7 and shape < 0.6:
        yield "items:"
        yield from (f"  {line}" for line in _property(chance, depth + 1))
        yield "type: array"
    elif shape < 0.7:
        yield from ("enum:", "- First", "- Second", "- Third", "type: string")
    elif shape < 0.8:
        yield from ("format: int32", "minimum: 0", "type: integer")
    elif shape < 0.9:
        yield from ("maxLength: 253", "pattern: ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "type: string")
    else:
        yield "type: boolean" if shape < 0.95 else "x-kubernetes-preserve-unknown-fields: true\ntype: object"


def _properties(chance: random.Random, depth: int, count: int) -> Iterator[str]:
    for name in sorted(chance.sample(_NAMES, min(count, len(_NAMES)))):
        yield f"{name}:"
        for line in _property(chance, depth):
            yield from (f"  {part}" for part in line.split("\n"))


def crd(number: int, size: int) -> str:
    """Return the definition with this number, of about so many bytes."""
    chance = random.Random(number)
    name, group = kind(number), group_version(number).partition("/")[0]
    plural = f"{name.lower()}s"
    lines = [
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:",
        f"  annotations:\n    controller-gen.kubebuilder.io/version: v0.19.0\n  name: {plural}.{group}",
        f"spec:\n  group: {group}\n  names:\n    kind: {name}\n    listKind: {name}List\n    plural: {plural}",
        f"    singular: {name.lower()}\n  scope: Namespaced\n  versions:\n  - name: v1\n    schema:",
        f"      openAPIV3Schema:\n        description: {name} is what users of {group} make.\n        properties:",
        "          apiVersion:\n            type: string\n          kind:\n            type: string",
        "          metadata:\n            type: object\n          spec:\n            properties:",
        "              name:\n                type: string",
    ]
    length = sum(map(len, lines))
    part = 0
    while length < size:
        part += 1
        block = [f"              part{part}:", *(f"                {line}" for line in _part(chance))]
        lines += block
        length += sum(map(len, block)) + len(block)
    lines.append(
        "            type: object\n          status:\n            properties:\n              phase:\n"
        "                type: string\n            type: object\n        type: object\n"
        "    served: true\n    storage: true\n    subresources:\n      status: {}"
    )
    return "\n".join(lines) + "\n"


def _part(chance: random.Random) -> Iterator[str]:
    yield from _description(chance, "")
    yield "properties:"
    for line in _properties(chance, 4, 4):
        yield f"  {line}"
    yield "type: object"


def write_crds(folder: Path, count: int) -> int:
    """Write so many files, unless an earlier run did; return their size in bytes."""
    done = folder / "written"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            text = crd(number, SIZES[number % len(SIZES)])
            (folder / f"{kind(number).lower()}.yaml").write_text(text, encoding="utf-8")
        done.touch()
    return sum(path.stat().st_size for path in folder.glob("*.yaml"))
