"""The definitions for which kro's answers are recorded: the examples, the rules' examples, and `definitions/`.

A file of `definitions/` has many: each begins with a line `--- # NAME` and is a whole definition or a part of its
spec. `--- # instance` begins an instance of it: its `spec`, perhaps its `metadata`, and the `observed` objects.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML

from kro_ls.rules.registry import RULES
from tests.fixtures.definitions import rgd_around
from tests.paths import EXAMPLES

DEFINITIONS = Path(__file__).parent / "definitions"
SETS = ("examples", "rules", "definitions", "chained")


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance, and the objects of each resource in the cluster: as JSON, because many tests read the same one."""

    name: str
    _object: str
    _observed: str

    @property
    def object(self) -> dict[str, Any]:
        """Return the instance."""
        return cast("dict[str, Any]", json.loads(self._object))

    @property
    def observed(self) -> dict[str, Any]:
        """Return lists of objects by resource."""
        return cast("dict[str, Any]", json.loads(self._observed))

    @property
    def digest(self) -> str:
        """A digest that shows whether an answer was recorded for this instance."""
        return _digest(json.dumps([self.object, self.observed], sort_keys=True))


@dataclass(frozen=True, slots=True)
class Definition:
    """The text of a definition, and its instances."""

    name: str
    text: str
    instances: tuple[Instance, ...] = ()

    @property
    def digest(self) -> str:
        """A digest that shows whether an answer was recorded for this text."""
        return _digest(self.text)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


@cache
def definitions(name: str) -> tuple[Definition, ...]:
    """Return the definitions of one of the sets. Those of `chained` may use each other's kinds."""
    match name:
        case "examples":
            return tuple(_example(path) for path in sorted(EXAMPLES.glob("*.yaml")))
        case "rules":
            # The wrong example of schema-too-large generates a CRD of eight megabytes; Helm, not kro, reads templates.
            left_out = ("schema-too-large", "helm-template")
            rules = [rule for rule in RULES if rule.wrong and rule.code not in left_out]
            sides = ((f"{rule.code} {side}", getattr(rule, side)) for rule in rules for side in ("wrong", "right"))
            return tuple(Definition(name, rgd_around(text)) for name, text in sides if text)
        case "definitions":
            files = sorted(set(DEFINITIONS.glob("*.yaml")) - {DEFINITIONS / "chained.yaml"})
            return tuple(each for path in files for each in _read(path))
        case _:
            return _read(DEFINITIONS / "chained.yaml")


def _example(path: Path) -> Definition:
    text = path.read_text(encoding="utf-8")
    instance = EXAMPLES / "instances" / path.name
    if not instance.is_file():
        return Definition(path.name, text)
    written = json.dumps(_load(instance.read_text(encoding="utf-8")))
    return Definition(path.name, text, (Instance(path.name, written, "{}"),))


def _read(path: Path) -> tuple[Definition, ...]:
    """Return the definitions of a file; one whose name ends with `(CRLF)` has such line endings."""
    found: list[Definition] = []
    parts = re.split(r"^--- # (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        if name == "instance":
            last = found.pop()
            instance = _instance(f"{last.name} #{len(last.instances)}", last.text, _load(text))
            found.append(Definition(last.name, last.text, (*last.instances, instance)))
        else:
            whole = rgd_around(text)
            whole = whole.replace("\n", "\r\n") if name.endswith("(CRLF)") else whole
            found.append(Definition(f"{path.stem}: {name}", whole))
    return tuple(found)


def _instance(name: str, definition: str, given: dict[str, Any]) -> Instance:
    schema = _load(definition)["spec"]["schema"]
    metadata = {"name": "example"} if schema.get("scope") == "Cluster" else {"name": "example", "namespace": "default"}
    whole = {
        "apiVersion": f"{schema.get('group', 'kro.run')}/{schema['apiVersion']}",
        "kind": schema["kind"],
        "metadata": {**metadata, **given.get("metadata", {})},
        "spec": given.get("spec", {}),
    }
    return Instance(name, json.dumps(whole), json.dumps(given.get("observed", {})))


def _load(text: str) -> Any:
    yaml = YAML(typ="safe", pure=True)
    yaml.allow_duplicate_keys = True
    return yaml.load(text)
