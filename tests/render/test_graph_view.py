"""The numbers that drawings show: they are those of kro's passes, as the preview replays them."""

from __future__ import annotations

import pytest

from kro_ls.render.graph_view import view
from kro_ls.runtime.cluster.simulation import simulate
from tests.fixtures.runtime import config_map, definition, instance

EXTERNAL = """\
    - id: {id}
      externalRef: {{apiVersion: v1, kind: Secret, metadata: {{name: {name}}}}}
"""


def external(id_: str, name: str) -> str:
    return EXTERNAL.format(id=id_, name=name)


DIAMOND = (
    config_map("top", "top")
    + config_map("left", '"${top.metadata.name}-l"')
    + config_map("right", '"${top.metadata.name}-r"')
    + config_map("end", '"${left.metadata.name}${right.metadata.name}"')
    + config_map("alone", "alone")
)
READ = (
    external("token", "token")
    + config_map("first", '"${token.metadata.name}-f"')
    + external("found", '"${first.metadata.name}-x"')
    + config_map("last", '"${found.metadata.name}-y"')
)


@pytest.mark.parametrize(
    ("resources", "passes"),
    [
        (DIAMOND, {"top": 1, "left": 2, "right": 2, "end": 3, "alone": 1}),
        # What an external reference finds is read in the pass in which it is looked up.
        (READ, {"token": 1, "first": 1, "found": 2, "last": 2}),
    ],
)
def test_a_resource_stands_in_the_pass_in_which_the_preview_creates_it(resources: str, passes: dict[str, int]) -> None:
    rgd = definition(resources)
    drawn = view(rgd)
    assert drawn.passes == passes
    external = {each.id for each in drawn.resources if each.is_external}
    created = {node: step.number for step in simulate(rgd, instance(name="x")).steps for node, _ in step.created}
    assert created == {id_: number for id_, number in passes.items() if id_ not in external}


def test_of_a_document_the_lines_are_reported_that_read_something() -> None:
    document = '"{\\n  a: ${bucket.metadata.name}/*,\\n  b: 1,\\n  c: ${bucket.metadata.uid}\\n}\\n"'
    rgd = definition(config_map("bucket", "b") + config_map("policy", "p", data=f"{{d: {document}}}"))
    policy = view(rgd).resources[-1]
    assert {each.expression for each in policy.causes("bucket")} == {
        "a: ${bucket.metadata.name}/*, … c: ${bucket.metadata.uid}"
    }
