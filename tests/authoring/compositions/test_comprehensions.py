"""`in` and comprehensions in the function of a composition."""

from dataclasses import dataclass, field

import pytest

from kro_ls.authoring import NotInCelError, composition, each
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text


@dataclass
class Port:
    name: str
    number: int


@dataclass
class Spec:
    image: str
    ports: list[Port] = field(default_factory=list)
    regions: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


def test_in_and_comprehensions_over_each_become_cel() -> None:
    prefix = "pre"

    @composition(kind="Loops")
    def loops(spec: Spec) -> dict[str, object]:
        dash = "-"
        return {
            "in1": "eu" in spec.regions,
            "in2": spec.image not in ("a", "b"),
            "in3": "x" in spec.image,
            "list1": [f"{prefix}{dash}{r}" for r in each(spec.regions) if r != "x"],
            "list2": [port for port in each(spec.ports) if port.number > 80],
            "list3": [r + port.name for r in each(spec.regions) for port in each(spec.ports)],
            "list4": [r + x for x in ["a", "b"] for r in each(spec.regions)],
            "map1": {port.name: port.number for port in each(spec.ports)},
            "map2": {key: spec.labels[key] + "!" for key in each(spec.labels)},
            "any": any(port.number > 80 for port in each(spec.ports)),
            "all": all(port.number > 80 for port in each(spec.ports) if port.name != "a"),
            "sum": sum(port.number for port in each(spec.ports)),
            "named": [one for one in each(spec.regions, name="place")],  # noqa: C416 # a comprehension
        }

    text = loops.to_yaml()

    found = {line.partition(": ")[0].strip(): line.partition(": ")[2].strip('"') for line in text.splitlines()}
    assert {name: each for name, each in found.items() if each.startswith("${")} == {
        "in1": '${"eu" in schema.spec.regions}',
        "in2": '${!(schema.spec.image in ["a", "b"])}',
        "in3": '${schema.spec.image.contains("x")}',
        "list1": '${schema.spec.regions.map(r, r != "x", "pre-" + r)}',
        "list2": "${schema.spec.ports.filter(port, port.number > 80)}",
        "list3": "${schema.spec.regions.map(r, schema.spec.ports.map(port, r + port.name)).flatten()}",
        "list4": '${schema.spec.regions.map(r, r + "a") + schema.spec.regions.map(r, r + "b")}',
        "map1": "${schema.spec.ports.transformMapEntry(i, port, {port.name: port.number})}",
        "map2": '${schema.spec.labels.transformMap(key, i, schema.spec.labels[key] + "!")}',
        "any": "${schema.spec.ports.exists(port, port.number > 80)}",
        "all": '${schema.spec.ports.all(port, !(port.name != "a") || port.number > 80)}',
        "sum": "${schema.spec.ports.map(port, port.number).sum()}",
        "named": "${schema.spec.regions}",
    }
    assert [each.message for each in Document("x.yaml", None, Text(text)).diagnosis.diagnostics] == []


def test_what_takes_no_reference_stays_python() -> None:
    @composition(kind="Plain")
    def plain(spec: Spec) -> dict[str, object]:
        pairs = {"a": 1, "b": 2}
        doubled = {name: value * 2 for name, value in pairs.items() if name not in ("b", "c")}
        nested = [x + y for x in range(2) for y in range(x)]
        found = sorted(x for x in {value for value in pairs.values()} if x in (1, 2))  # noqa: C416
        return {"found": f"{spec.image}{doubled}{nested}{found}{sum(x for x in [1, 2])}{any(x for x in [0])}"}

    text = plain.to_yaml()

    assert "${schema.spec.image}{'a': 2}[1][1, 2]3False" in text


def test_outside_of_the_function_in_says_what_to_write() -> None:
    def helper(spec: Spec) -> object:
        return "a" in spec.regions

    @composition(kind="Helped")
    def helped(spec: Spec) -> dict[str, object]:
        return {"found": helper(spec)}

    with pytest.raises(NotInCelError, match=r"cel.contains\(x, item\)"):
        helped.to_yaml()


def test_an_error_in_a_comprehension_is_raised_at_its_line() -> None:
    @composition(kind="Wrong")
    def wrong(spec: Spec) -> dict[str, object]:
        return {
            "found": [
                port.numbr  # type: ignore[attr-defined]
                for port in each(spec.ports)
            ]
        }

    with pytest.raises(AttributeError) as raised:
        wrong.to_yaml()

    line = next(each.lineno for each in reversed(raised.traceback) if str(each.path) == __file__)
    with open(__file__, encoding="utf-8") as file:
        assert "port.numbr" in file.read().splitlines()[line]
    assert "did you mean 'number'?" in str(raised.value)


def test_a_comprehension_of_sets_or_pairs_says_what_to_write() -> None:
    @composition(kind="Pairs")
    def pairs(spec: Spec) -> dict[str, object]:
        return {"found": [a for a, _ in each(spec.labels)]}  # type: ignore[str-unpack]

    with pytest.raises(NotInCelError, match="for key in each"):
        pairs.to_yaml()
