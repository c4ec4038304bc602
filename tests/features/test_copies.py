"""Resources that differ in one word become a collection, which gives the same objects."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kro_ls.features.actions.refactorings import found_refactorings
from kro_ls.render.yaml_text import to_yaml
from kro_ls.yaml_positions.scalars.writing import edited
from tests.fixtures.definitions import rgd_around
from tests.fixtures.language import fixture
from tests.fixtures.rendered import rendered_objects

_COPY = """\
  # The {word} one.
  - id: {word}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{schema.metadata.name}}-team-{word}
        labels: {{team: {word}}}
      data:
        size: ${{string(schema.spec.size)}}
        title: "{word}, or {word}"
        text: |
          a {word} line
          # {word}
    readyWhen:
      - ${{{word}.metadata.?uid.hasValue()}}
"""
_SCHEMA = """\
schema:
  apiVersion: v1alpha1
  kind: App
  spec:
    size: integer | default=2
  status:
    first: ${red.metadata.name}
resources:
"""
_READER = """\
  - id: reader
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: reader
      data: {color: "${blue.data.title} and ${green.data['title']}"}
"""
COPIES = "".join(_COPY.format(word=word) for word in ("red", "blue", "green"))
DEFINITION = rgd_around(_SCHEMA + COPIES + _READER)
TITLE = "Turn 3 copies into a collection"


def offered(place: str, definition: str = DEFINITION) -> dict[str, str]:
    found = fixture(definition.replace(place, f"$0{place}", 1))
    return {each.title: edited(definition, each.replacements) for each in found_refactorings(found.cursor)}


def test_copies_become_a_collection() -> None:
    text = offered("id: blue")[TITLE]
    assert rendered_objects(text) == rendered_objects(DEFINITION)
    assert '- team: ${["red", "blue", "green"]}' in text
    assert "# The blue one." in text
    assert "# The green one." not in text
    assert "first: ${configMaps[0].metadata.name}" in text
    assert "${configMaps[1].data.title} and ${configMaps[2].data['title']}" in text
    assert "${each.metadata.?uid.hasValue()}" in text
    assert "# ${team}\n" in text


def test_without_readers_the_words_may_become_a_field() -> None:
    definition = rgd_around(_SCHEMA.replace("  status:\n    first: ${red.metadata.name}\n", "") + COPIES)
    text = offered("id: red", definition)[f"{TITLE} over 'schema.spec.teams'"]
    assert rendered_objects(text) == rendered_objects(definition)
    assert rendered_objects(text, {"teams": ["one"]}).keys() == {
        key for key in rendered_objects(definition.replace("red", "one")) if key.name.endswith("-one")
    }
    assert not any("over" in title for title in offered("id: red"))


def test_resources_that_differ_in_more_stay() -> None:
    more = DEFINITION.replace('title: "blue, or blue"', 'title: "blue, or black"')
    assert "Turn 2 copies into a collection" in offered("id: red", more)
    assert not any("copies" in title for title in offered("id: blue", more))
    conditional = DEFINITION.replace("  - id: blue\n", "  - id: blue\n      includeWhen: ['${schema.spec.size > 1}']\n")
    assert "Turn 2 copies into a collection" in offered("id: green", conditional)
    assert not any("copies" in title for title in offered("id: reader"))


def test_the_word_in_which_most_resources_differ_counts() -> None:
    resource = "  - id: {id}\n    template: {{apiVersion: v1, kind: Namespace, metadata: {{name: app-{word}}}}}\n"
    words = {"first": "b", "second": "red", "third": "a-b"}
    resources = "".join(resource.format(id=name, word=word) for name, word in words.items())
    definition = rgd_around(_SCHEMA.partition("  status:")[0] + "resources:\n" + resources)
    assert TITLE in offered("id: first", definition)


_WORDS = st.lists(
    st.sampled_from(["red", "blue", "a", "b", "x1", "a-b", "eu.west"]), min_size=2, max_size=4, unique=True
)
_VALUES = st.recursive(
    st.sampled_from(
        ["W", "-W-", "W W", "${schema.metadata.name}/W", "k: W", "'W'", '"W"', "W\nW\n", "n", 3, True, "3"]
    ),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.sampled_from("k l m".split()), inner, min_size=1, max_size=3)
    ),
    max_leaves=6,
)


@given(_WORDS, st.sampled_from(["W", "app-W", "W-app", "${schema.metadata.name}-W"]), _VALUES, st.booleans())
@settings(max_examples=25)
def test_any_copies(words: list[str], name: str, value: Any, is_read: bool) -> None:
    def of(word: str, template: Any) -> Any:
        if isinstance(template, dict):
            return {key: of(word, inner) for key, inner in template.items()}
        if isinstance(template, list):
            return [of(word, inner) for inner in template]
        return template.replace("W", word) if isinstance(template, str) else template

    template = {
        "apiVersion": "example.com/v1",
        "kind": "Gadget",
        "metadata": {"name": name},
        "spec": {"any": value},
    }
    resources = [{"id": f"copy{number}", "template": of(word, template)} for number, word in enumerate(words)]
    if is_read:
        data = {"last": "${copy1.metadata.name}"}
        reader = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "reader"}, "data": data}
        resources.insert(0, {"id": "reader", "template": reader})
    schema = {"apiVersion": "v1alpha1", "kind": "App", "spec": {"size": "integer"}}
    definition = rgd_around(to_yaml({"schema": schema, "resources": resources}))
    found = {title: text for title, text in offered("id: copy0", definition).items() if "copies" in title}
    assert f"Turn {len(words)} copies into a collection" in found
    for text in found.values():
        assert rendered_objects(text) == rendered_objects(definition), text
