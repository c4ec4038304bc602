"""Generates ResourceGraphDefinitions of any size that kro accepts: `python -m benchmarks.definitions RESOURCES`.

A resource takes five or six lines, so 1,000 resources take a little more than 5,000. Each reads up to three resources
before it. Definitions with different numbers share no id, and the schema grows slowly with the resources.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from functools import cached_property

LINES_TO_RESOURCES = {100: 14, 500: 86, 5000: 1000}
"""How many resources a definition of about so many lines has."""

RESOURCES_PER_FIELD = 20
RESOURCES_PER_STATUS = 50
READERS = {"readByOne": 1, "readByTen": 10, "readByAll": None}
"""Fields of the schema, which are lists of strings, by how many resources read them; None means all."""

_HEADER = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: generated-{number}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Generated{number}
    spec:
      name: string | required=true
      replicas: integer | default=2 minimum=1
{fields}
    status:
{status}
  resources:
"""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of resource: the word in its ids, another line of its template, and the field that others read."""

    word: str
    api_version: str
    kind: str
    more: str = ""
    read: str = "metadata.name"


_DEPLOYMENT = (
    'spec: {replicas: "${schema.spec.replicas}", selector: {matchLabels: {app: web}}, '
    "template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}}"
)
_KINDS = (
    _Kind("account", "v1", "ServiceAccount"),
    _Kind("config", "v1", "ConfigMap", 'data: {size: "${string(schema.spec.replicas)}", text: a plain value}'),
    _Kind("secret", "v1", "Secret", 'stringData: {user: "${schema.spec.name}"}'),
    _Kind("service", "v1", "Service", "spec: {ports: [{port: 80, name: http}], selector: {app: web}}", "spec.type"),
    _Kind("deployment", "apps/v1", "Deployment", _DEPLOYMENT),
    _Kind("role", "rbac.authorization.k8s.io/v1", "Role"),
    _Kind("settings", "v1", "ConfigMap", read="metadata.namespace"),
)


@dataclass(frozen=True)
class Definition:
    """A definition with the ids of its resources in order."""

    text: str
    ids: tuple[str, ...]

    @property
    def middle(self) -> str:
        """The id of the resource in the middle. It reads others, and edits are made in it."""
        return self.ids[len(self.ids) // 2]

    @property
    def used(self) -> str:
        """The id of a resource that others read."""
        return self.ids[len(self.ids) // 4]

    @cached_property
    def readers(self) -> dict[str, int]:
        """How many resources read each field of `READERS`."""
        return {name: self.text.count(f"schema.spec.{name})") for name in READERS}

    def uses(self, resource: str) -> int:
        """Return how many expressions read a resource."""
        return len(re.findall(rf"\b{resource}\.", self.text))

    def start_of(self, resource: str) -> int:
        """Return the offset of a resource's text."""
        return self.text.index(f"    - id: {resource}\n")


def _id(number: int, index: int) -> str:
    word = _KINDS[index % len(_KINDS)].word
    return f"{word}{number}n{index}" if number else f"{word}{index}"


def _resource(index: int, number: int, resources: int, fault: str) -> str:
    kind = _KINDS[index % len(_KINDS)]
    labels = ["tier: web", 'all: "${string(size(schema.spec.readByAll))}"']
    if index in {share * resources // 10 for share in range(10)}:
        labels.append('ten: "${string(size(schema.spec.readByTen))}"')
    if index == resources // 3:
        labels.append('one: "${string(size(schema.spec.readByOne))}"')
    if index % 3 == 0:
        labels.append(f'own: "${{schema.spec.field{index // RESOURCES_PER_FIELD}}}"')
    for before in sorted({index // 2, index // 3, index // 5})[: index % 4]:
        if before < index:
            read = _KINDS[before % len(_KINDS)].read
            labels.append(f'r{before}: "${{{_id(number, before)}.{read}}}"')
    if fault:
        labels.append(f'fault: "{fault}"')
    lines = [
        f"    - id: {_id(number, index)}",
        "      template:",
        f"        apiVersion: {kind.api_version}",
        f"        kind: {kind.kind}",
        f'        metadata: {{name: "${{schema.spec.name}}-{index}", labels: {{{", ".join(labels)}}}}}',
    ]
    if kind.more:
        lines.append(f"        {kind.more}")
    return "\n".join(lines) + "\n"


def definition(resources: int, number: int = 0, faults: int = 0) -> Definition:
    """Return a definition that kro accepts, or one with so many faults, in different resources, also the last."""
    fields = [f'      {name}: "[]string | required=true"' for name in READERS]
    fields += [
        f'      field{index}: string | default="x{number}"'
        for index in range((resources - 1) // RESOURCES_PER_FIELD + 1)
    ]
    status = [
        f'      address{index}: "${{{_id(number, index * RESOURCES_PER_STATUS)}.metadata.name}}"'
        for index in range((resources - 1) // RESOURCES_PER_STATUS + 1)
    ]
    faulty = {resources - 1 - share * resources // faults for share in range(faults)} if faults else set()
    blocks = [_HEADER.format(number=number, fields="\n".join(fields), status="\n".join(status))]
    for index in range(resources):
        fault = f"${{schema.spec.missing{number}n{index}}}" if index in faulty else ""
        blocks.append(_resource(index, number, resources, fault))
    return Definition("".join(blocks), tuple(_id(number, index) for index in range(resources)))


def definition_of_lines(lines: int, number: int = 0) -> Definition:
    """Return a definition of about 100, 500 or 5,000 lines."""
    return definition(LINES_TO_RESOURCES[lines], number)


def main() -> None:
    """Print a definition."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("resources", type=int)
    parser.add_argument("--faults", type=int, default=0)
    arguments = parser.parse_args()
    sys.stdout.write(definition(arguments.resources, faults=arguments.faults).text)


if __name__ == "__main__":
    main()
