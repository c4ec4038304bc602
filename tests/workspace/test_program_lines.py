"""The map from generated YAML to the program that it is from."""

from kro_ls.features.diagnostics import diagnostics
from kro_ls.workspace.check import check_document
from kro_ls.workspace.documents import Document
from kro_ls.workspace.program_lines import LineMap, line_map, program_of
from kro_ls.yaml_positions.text import Text


def test_a_map_shows_the_lines_of_the_program() -> None:
    made = LineMap.made([("app.py", 3), ("app.py", 3), None, ("lib.py", 7), ("app.py", 4)])

    text = Text(f"a\nb\n\nc\nd\n{made.comment}\n")

    found = line_map(text)
    assert found == made
    places = [made.place(line) for line in range(1, 6)]
    assert places == [("app.py", 3), ("app.py", 3), ("app.py", 3), ("lib.py", 7), ("app.py", 4)]


def test_a_text_that_was_changed_by_hand_or_a_broken_map_has_none() -> None:
    comment = LineMap.made([("app.py", 3), ("app.py", 4)]).comment

    assert line_map(Text(f"a\nb\nc\n{comment}\n")) is None
    assert line_map(Text("a\n# kro-ls map: {\n")) is None
    assert line_map(Text('a\n# kro-ls map: {"files": 1}\n')) is None
    assert line_map(Text("# a comment")) is None
    assert LineMap(("app.py",), ((2, 5, 1),), 2).place(2) is None
    assert LineMap(("app.py",), ((2, 0, 1),), 2).place(1) is None


def test_diagnostics_of_a_generated_text_show_the_line_of_python() -> None:
    lines = [
        "apiVersion: kro.run/v1alpha1",
        "kind: ResourceGraphDefinition",
        "metadata: {name: shop}",
        "spec:",
        "  schema: {apiVersion: v1alpha1, kind: Shop}",
        "  resources:",
        "  - id: config",
        "    template:",
        "      apiVersion: v1",
        "      kind: ConfigMap",
        "      metadata: {name: '${schema.spec.nam}'}",
    ]
    made = LineMap.made([("../app.py", number) for number in range(1, len(lines) + 1)])
    text = Text("\n".join([*lines, made.comment, ""]))

    (found,) = check_document(Document("/work/out/shop.yaml", None, text)).diagnostics

    assert [(each.path, each.line) for each in found.files] == [("/work/app.py", 11)]
    related = diagnostics(Document("file:///work/out/shop.yaml", None, text))[0].related_information or ()
    location = next(iter(related)).location
    assert (location.uri, location.range.start.line) == ("file:///work/app.py", 10)
    program = program_of(text, "out/shop.yaml")
    place = program.place(0) if program else None
    assert place is not None
    assert (place.path, place.line) == ("app.py", 1)
