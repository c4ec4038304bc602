"""Resources depend on each other in a circle."""

from __future__ import annotations

from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.diagnostics import check_diagnostics


def test_cycle() -> None:
    def config(name: str, value: str) -> str:
        return f"""\
  - id: {name}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {{name: {name}}}
      data:
        value: {value}
"""

    diagnostics = check_diagnostics(f"""
resources:
{config("first", "${third.kind}")}
{config("third", "${second.kind}")}
{config("second", "${first.kind}-${first.kind}").rstrip()}
#                ^^^^^ dependency-cycle: graph contains a cycle: first -> third -> second -> first
#                              ^^^^^ dependency-cycle: graph contains a cycle: first -> third -> second -> first
{config("alone", "${first.kind}")}
""")
    assert [related.message for related in diagnostics[0].related] == [
        "'first' depends on 'third' here",
        "'third' depends on 'second' here",
        "'second' depends on 'first' here",
    ]


def test_a_long_cycle_is_shown_in_short() -> None:
    resources = "".join(
        f"""
  - id: r{number}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{r{(number + 1) % 100}.metadata.name}}
"""
        for number in range(100)
    )
    diagnostics = diagnose_text(Text(rgd_around(f"resources:{resources}"))).diagnostics
    (cycle,) = [each for each in diagnostics if each.code == "dependency-cycle"]
    assert len(cycle.message) < 300
    assert "r9 -> ... 80 more ... -> r90" in cycle.message


def test_near_miss() -> None:
    check_diagnostics("""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: first
#       ~~~~~ dependency-cycle
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${second.metadata.name}-${config.metadata.name}-first
  - id: second
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${config.metadata.name}-second
""")
