"""What a resource waits for, checked on the definitions of the projects that the table knows."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import pytest

from kro_ls.analysis.readiness import Condition, conditions_of
from kro_ls.openapi.readiness import GROUPS, KINDS, signs_of
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around
from tests.fixtures.known_projects import kinds_with_signs, with_projects
from tests.paths import needs_kinds

if TYPE_CHECKING:
    from kro_ls.openapi.kind_schema import KindSchema


def conditions(resource: str) -> tuple[Condition, ...]:
    (rgd,) = diagnose_text(Text(rgd_around(f"resources:\n{resource}")), DEFAULT_SETTINGS).analysis.rgds
    found = rgd.rgd.resources[0].resource
    return conditions_of(found, rgd.kind(found))


def test_the_object_has_the_name_that_a_ready_when_gives_it() -> None:
    pod = "    template: {apiVersion: v1, kind: Pod, metadata: {name: a}}\n"
    assert conditions(f"  - id: pod\n{pod}")[1].expression == 'pod.status.phase == "Running"'
    several = f"  - id: pods\n    forEach: [{{a: '${{[1]}}'}}]\n{pod}"
    assert conditions(several)[1].expression == 'each.status.phase == "Running"'
    selected = "{apiVersion: v1, kind: Pod, metadata: {selector: {}}}"
    assert conditions(f"  - id: pods\n    externalRef: {selected}\n") == ()
    assert conditions("  - id: pod\n    template: {apiVersion: v1, kind: '${schema.spec.kind}'}\n") == ()


@pytest.mark.parametrize(
    ("spec", "count"),
    [("{type: LoadBalancer}", 1), ("{type: ClusterIP}", 0), ("{}", 0), ("{type: '${schema.spec.type}'}", 0)],
)
def test_only_some_services_have_to_be_waited_for(spec: str, count: int) -> None:
    service = f"  - id: web\n    template: {{apiVersion: v1, kind: Service, metadata: {{name: a}}, spec: {spec}}}\n"
    assert len(conditions(service)) == count


def test_a_kind_of_which_nothing_is_known_gets_a_guess() -> None:
    thing = "  - id: it\n    template: {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}}\n"
    (guess,) = conditions(thing)
    assert guess.is_guess
    assert '"Ready"' in guess.expression
    (sure, _) = conditions(thing.replace("example.com/v1", "s3.services.k8s.aws/v1alpha1"))
    assert not sure.is_guess


@needs_kinds
def test_each_row_of_the_table_is_about_a_kind_that_exists() -> None:
    found = {
        (kind.name.group, kind.name.kind): signs_of(kind.name.group, kind.name.kind, kind)
        for kind in kinds_with_signs()
    }
    assert {name: signs for name, signs in KINDS.items() if signs and found.get(name) != signs} == {}
    elsewhere = {"*.upbound.io"}  # of Crossplane's providers there are no definitions beside the checkout
    for pattern, signs in GROUPS.items():
        assert pattern in elsewhere or any(
            fnmatchcase(group, pattern) and each == signs for (group, _), each in found.items()
        ), pattern


@needs_kinds
def test_kro_accepts_what_shows_that_a_resource_is_ready() -> None:
    count = 0
    for start in range(0, len(kinds := kinds_with_signs()), 40):
        text = "".join(_resource(number, kind) for number, kind in enumerate(kinds[start : start + 40]))
        source = Text(rgd_around(f"resources:\n{text}"))
        found = diagnose_text(source, DEFAULT_SETTINGS, with_projects()).diagnostics
        wrong = [
            (_line(source.content, each.span.start), each.message) for each in found if each.severity is Severity.ERROR
        ]
        assert [each for each in wrong if "- '${" in each[0]] == []
        count += source.content.count("      - '${")
    assert count > 1000


def _line(text: str, offset: int) -> str:
    return text[text.rfind("\n", 0, offset) + 1 :].partition("\n")[0]


def _resource(number: int, kind: KindSchema) -> str:
    name = kind.name
    signs = signs_of(name.group, name.kind, kind)
    lines = "".join(f"      - '${{{sign.expression.replace('{x}', f'r{number}')}}}'\n" for sign in signs)
    return (
        f"  - id: r{number}\n"
        + (f"    readyWhen:\n{lines}" if lines else "")
        + f"    template: {{apiVersion: {name.api_version}, kind: {name.kind}, metadata: {{name: r{number}}}}}\n"
    )
