"""What changed in a graph since an older version of its definition."""

from __future__ import annotations

import pytest

from kro_ls.analysis.analysis import RgdAnalysis, analyze
from kro_ls.render import dot, mermaid
from kro_ls.render.graph_changes import compared, previous_definition
from kro_ls.render.graph_view import Change, GraphView, view
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_of_config_maps

OLD = rgd_of_config_maps(("first", "one"), ("gone", "${first.metadata.name}"), ("last", "${gone.metadata.name}"))


def change(before: str, after: str) -> GraphView:
    (old,), (new,) = analyze(Text(before)).rgds, analyze(Text(after)).rgds
    return compared(view(new), previous_definition(0, (new,), (old,)))


def test_resources_and_references_are_added_removed_and_changed() -> None:
    new = rgd_of_config_maps(("first", "one"), ("last", "${first.metadata.name}"), ("more", "${last.metadata.name}"))
    found = change(OLD, new).comparison
    assert found is not None
    assert found.resources == {"last": Change.CHANGED, "more": Change.ADDED, "gone": Change.REMOVED}
    assert [each.id for each in found.removed] == ["gone"]
    assert found.edges == {
        ("last", "first"): Change.ADDED,
        ("last", "gone"): Change.REMOVED,
        ("more", "last"): Change.ADDED,
        ("gone", "first"): Change.REMOVED,
    }
    assert list(found.differences) == ["last"]
    changed = [each for each in found.differences["last"] if each[0] in "+-"]
    assert [each[0] for each in changed] == ["-", "+"]
    assert "gone.metadata.name" in changed[0]
    assert "first.metadata.name" in changed[1]


def test_a_reference_changes_with_what_it_reads() -> None:
    found = change(OLD, OLD.replace("${gone.metadata.name}", "${gone.metadata.name}-x")).comparison
    assert found is not None
    assert found.edges == {("last", "gone"): Change.CHANGED}


@pytest.mark.parametrize(
    "new",
    [
        OLD.replace("resources:", "resources: # all of them"),
        "\n".join(f"{line}  # a comment" if line.strip().startswith("- id") else line for line in OLD.split("\n")),
        "# moved\n\n" + OLD.replace("ConfigMap", '"ConfigMap"'),
    ],
)
def test_other_words_for_the_same_change_nothing(new: str) -> None:
    found = change(OLD, new).comparison
    assert found is not None
    assert (found.resources, found.edges) == ({}, {})


def test_a_definition_is_found_by_its_name_and_else_by_its_place() -> None:
    def named(*names: str) -> tuple[RgdAnalysis, ...]:
        return analyze(Text("\n---\n".join(OLD.replace("  name: app", f"  name: {each}", 1) for each in names))).rgds

    before, now = named("a", "b"), named("b", "c", "a")
    assert previous_definition(0, now, before) is before[1]
    assert previous_definition(2, now, before) is before[0]
    assert previous_definition(1, now, before) is None, "the one at its place is the first one now"
    assert previous_definition(0, named("renamed"), named("old")) is not None
    assert previous_definition(0, now, ()) is None


def test_without_an_older_version_everything_is_new() -> None:
    (new,) = analyze(Text(OLD)).rgds
    found = compared(view(new), None).comparison
    assert found is not None
    assert set(found.resources.values()) == set(found.edges.values()) == {Change.ADDED}


def test_texts_mark_what_changed() -> None:
    new = rgd_of_config_maps(("first", "two"), ("last", "${first.metadata.name}"))
    drawn = change(OLD, new)
    flowchart = mermaid.render((drawn,))
    for line in (
        '  first["~ first<br/>ConfigMap"]:::changed',
        '  gone["\N{MINUS SIGN} gone<br/>ConfigMap"]:::removed',
        "  first -- added --> last",
        "  gone -. removed .-> last",
        "  classDef removed stroke:#cf222e,stroke-width:2px,stroke-dasharray:5",
    ):
        assert line in flowchart.split("\n")
    assert "classDef added" not in flowchart
    digraph = dot.render((drawn,))
    assert '"gone" -> "last" [label=removed, color=firebrick, fontcolor=firebrick, style=dashed]' in digraph
    assert 'label="~ first\\nConfigMap", shape=box, color=darkorange3' in digraph
