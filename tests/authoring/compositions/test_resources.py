"""Resources of compositions: options, external objects, collections, and the lines of Python that they are from."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kro_ls.authoring import CompositionError, NotInCelError, ObjectMeta, Resource, composition, each, external
from kro_ls.authoring.compositions.problems import UnknownFieldError
from kro_ls.workspace.program_lines import line_map
from kro_ls.yaml_positions.text import Text


@dataclass
class Spec:
    image: str = "x"
    zones: list[str] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)


@composition(kind="Many")
def many(spec: Spec, metadata: ObjectMeta) -> dict[str, object]:
    zone, size = each(spec.zones), each(spec.sizes, name="large")
    config = Resource(
        "v1",
        "ConfigMap",
        metadata={"name": f"{metadata.name}-{zone.item}-{size.item}"},
        for_each=[zone, size],
        ready_when=lambda one: one.metadata.name != "",
    )
    shared = external("v1", "ConfigMap", selector={"matchLabels": {"shared": "yes"}}, id="shared")
    return {
        "names": [one.metadata.name for one in each(config)],
        "first": shared[0].metadata.name,
    }


def test_collections_have_dimensions_and_are_read_item_by_item() -> None:
    text = many.to_yaml()

    assert "    forEach:\n    - zone: ${schema.spec.zones}\n    - large: ${schema.spec.sizes}\n" in text
    assert "        name: ${schema.metadata.name}-${zone}-${large}\n" in text
    assert '    - ${each.metadata.name != ""}\n' in text
    assert "      names: ${configMap.map(one, one.metadata.name)}\n" in text
    assert "  - id: shared\n    externalRef:\n" in text
    assert "        selector:\n          matchLabels:\n" in text
    assert "      first: ${shared[0].metadata.name}\n" in text
    assert [each.message for each in many.check()] == []


def test_each_line_of_yaml_is_from_its_line_of_python() -> None:
    text = many.to_yaml(str(Path(__file__).parent))

    found = line_map(Text(text))
    assert found is not None
    source = Path(__file__).read_text(encoding="utf-8").splitlines()
    lines = text.splitlines()
    for yaml, python in (
        ("        name: ${schema", "metadata={"),
        ("    - ${each", "ready_when="),
        ("    - zone", "for_each="),
        ("      first: ", '"first": shared[0]'),
    ):
        number = next(number for number, line in enumerate(lines, 1) if line.startswith(yaml))
        place = found.place(number)
        assert place is not None
        assert place[0] == Path(__file__).name
        assert python in source[place[1] - 1]


def _with(make: object) -> None:
    @composition(kind="Wrong")
    def wrong(spec: Spec) -> None:
        make(spec)  # type: ignore[operator]

    wrong.to_yaml()


def _twice(spec: Spec) -> None:
    for _ in range(2):
        Resource("v1", "ConfigMap", metadata={"name": "a"}, id="same")


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (_twice, CompositionError, "two resources have the id 'same'"),
        (lambda spec: Resource("v1", "Secret", id="Not-an-id"), CompositionError, "is no id for a resource"),
        (lambda spec: Resource("v1"), CompositionError, "say which kind"),
        (lambda spec: Resource("v1", "Secret", for_each=[spec.zones]), CompositionError, "for_each takes each"),
        (lambda spec: Resource("v1", "Secret", include_when=["x"]), CompositionError, "cel.expression('x')"),
        (lambda spec: Resource("v1", "Secret", include_when=[spec.image]), NotInCelError, "is no condition"),
        (
            lambda spec: Resource("v1", "Secret", data={f"{spec.image}": "x"}),
            CompositionError,
            "expressions in keys",
        ),
        (lambda spec: Resource("v1", "Secret").dta, UnknownFieldError, "did you mean 'data'?"),
        (lambda spec: each(spec.image), CompositionError, "is no list"),
        (lambda spec: each(spec.zones, name="Big"), CompositionError, "cannot be called 'Big'"),
    ],
)
def test_what_is_no_resource_says_what_to_write(make: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        _with(make)

    assert message in str(raised.value)


def test_outside_of_a_composition_nothing_can_be_made() -> None:
    with pytest.raises(CompositionError, match="function with @composition"):
        Resource("v1", "ConfigMap")
