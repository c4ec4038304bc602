"""Definitions in which Flux substitutes variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.rules.registry import RULE_OF
from kro_ls.workspace.check import check_file
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.yaml_positions.scalars.writing import edited
from kro_ls.yaml_positions.text import Text
from tests.fixtures.diagnostics import check_workspace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kro_ls.rules.diagnostics import Diagnostic

CODE = "substituted-expression"
ANNOTATION = "kustomize.toolkit.fluxcd.io/substitute"

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: shop # its name
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.metadata.name}
"""

ONLY_NAMES = DEFINITION.replace("${schema.metadata.name}", "shop\n        data: {other: '${other}'}").replace(
    "  resources:\n",
    "  resources:\n    - id: other\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: other}}\n",
)


def flux(
    path: str = "./apps", build: str = "substitute: {region: north}", source: str = "flux-system", more: str = ""
) -> str:
    return f"""\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: apps, namespace: flux-system}}
spec:
  path: {path}
  sourceRef: {{kind: GitRepository, name: {source}}}
  postBuild: {{{build}}}
{more}"""


def test_a_definition_that_flux_changes_and_one_that_it_leaves_alone(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    definition = "kind: ResourceGraphDefinition\napiVersion: kro.run/v1alpha1\nmetadata:\n"
    rest = DEFINITION.partition("spec:")[2]
    check_workspace(
        tmp_path,
        f"""
//- shop.yaml
{definition}
  name: shop
  #     ^^^^ substituted-expression: fails on '${{schema.metadata.name}}'
spec:{rest}
---
{definition}
  name: till
  #     ~~~~ substituted-expression
  annotations: {{{ANNOTATION}: disabled}}
spec:{rest.replace("Shop", "Till")}
//- flux.yaml
{flux(path="./")}
""",
    )


def check(folder: Path, files: dict[str, str], of: str = "apps/shop.yaml") -> tuple[Diagnostic, ...]:
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    kinds = load([folder], SchemaSettings())
    found = check_file(str(folder / of), Text(files[of]), DEFAULT_SETTINGS, kinds).found.diagnostics
    return tuple(each for each in found if each.code == CODE)


def messages(found: Iterable[Diagnostic]) -> list[str]:
    return [each.message for each in found]


def test_flux_fails_on_an_expression(tmp_path: Path) -> None:
    (found,) = check(tmp_path, {"apps/shop.yaml": DEFINITION, "clusters/apps.yaml": flux()})
    assert found.message == "Flux substitutes variables in this definition and fails on '${schema.metadata.name}'"
    assert DEFINITION[found.span.start : found.span.end] == "shop"
    assert [DEFINITION[each.span.start : each.span.end] for each in found.related] == ["${schema.metadata.name}"]
    assert [each.path for each in found.files] == [str(tmp_path / "clusters" / "apps.yaml")]


def test_flux_takes_a_name_for_a_variable(tmp_path: Path) -> None:
    found = check(tmp_path, {"apps/shop.yaml": ONLY_NAMES, "apps.yaml": flux()})
    said = "Flux substitutes variables in this definition and takes '${other}' for a variable of its own"
    assert messages(found) == [said]


@pytest.mark.parametrize(
    "metadata",
    [
        "metadata:\n  name: shop # its name\n",
        "metadata: {name: shop}\n",
        "metadata:\n  name: shop\n  annotations:\n    other: text\n",
        "metadata:\n  name: shop\n  annotations: {other: text}\n",
        "metadata:\r\n  name: shop\r\n",
    ],
)
def test_the_fix_adds_the_annotation(tmp_path: Path, metadata: str) -> None:
    text = DEFINITION.replace("metadata:\n  name: shop # its name\n", metadata, 1)
    (found,) = check(tmp_path, {"apps/shop.yaml": text, "apps.yaml": flux()})
    (fix,) = found.fixes
    fixed = edited(text, fix.replacements)
    assert f"{ANNOTATION}: disabled" in fixed
    assert "other: text" in fixed or "other" not in metadata
    assert check(tmp_path, {"apps/shop.yaml": fixed, "apps.yaml": flux()}) == ()


@pytest.mark.parametrize(
    "text",
    [
        DEFINITION.replace("name: shop #", f"labels: {{{ANNOTATION}: disabled}}\n  name: shop #"),
        DEFINITION.replace("${", "$${"),
        DEFINITION.replace("${schema.metadata.name}", "shop # ${schema.metadata.name}"),
    ],
)
def test_a_definition_that_flux_leaves_alone(tmp_path: Path, text: str) -> None:
    assert check(tmp_path, {"apps/shop.yaml": text, "apps.yaml": flux()}) == ()


def test_an_escaped_dollar_before_an_expression_does_not_escape_it(tmp_path: Path) -> None:
    text = DEFINITION.replace("${", "$$${")
    assert len(check(tmp_path, {"apps/shop.yaml": text, "apps.yaml": flux()})) == 1


@pytest.mark.parametrize(
    ("kustomization", "is_reported"),
    [
        (flux(build="substituteFrom: [{kind: ConfigMap, name: values}]"), True),
        (flux(build="substituteStrategy: Always"), True),
        (flux(path="apps/", source="other"), True),
        (flux(path="./"), True),
        (flux(path="./", source="other"), False),
        (flux(build="substitute: {}"), False),
        (flux(path="./clusters"), False),
        (flux(path="../apps"), False),
        (flux(path="./${folder}"), False),
        (flux(more=f"  patches: [{{patch: '[{{op: add, path: x, value: {ANNOTATION}}}]'}}]\n"), False),
        (flux().replace("kind: Kustomization", "kind: Other"), False),
        (flux().replace("kustomize.toolkit.fluxcd.io/v1", "kustomize.config.k8s.io/v1 # toolkit.fluxcd.io"), False),
    ],
)
def test_which_kustomizations_count(tmp_path: Path, kustomization: str, is_reported: bool) -> None:
    found = check(tmp_path, {"apps/shop.yaml": DEFINITION, "clusters/apps.yaml": kustomization})
    assert len(found) == is_reported


@pytest.mark.parametrize(
    ("listed", "is_reported"),
    [
        ("resources: [../base]", True),
        ("resources: [../base/shop.yaml]", True),
        ("components: [../base]", True),
        ("resources: [../other]", False),
        (f"resources: [../base]\ncommonAnnotations: {{{ANNOTATION}: disabled}}", False),
    ],
)
def test_what_a_kustomization_builds(tmp_path: Path, listed: str, is_reported: bool) -> None:
    files = {
        "base/shop.yaml": DEFINITION,
        "base/kustomization.yaml": "resources: [shop.yaml]",
        "apps/kustomization.yaml": listed,
        "clusters/apps.yaml": flux(),
    }
    assert len(check(tmp_path, files, of="base/shop.yaml")) == is_reported


def test_a_folder_below_counts_with_its_kustomization(tmp_path: Path) -> None:
    files = {"apps/team/shop.yaml": DEFINITION, "clusters/apps.yaml": flux()}
    assert len(check(tmp_path, files, of="apps/team/shop.yaml")) == 1
    files["apps/team/kustomization.yaml"] = "resources: [other.yaml]"
    assert check(tmp_path, files, of="apps/team/shop.yaml") == ()


def test_outside_of_a_repository_the_path_is_looked_for_above(tmp_path: Path) -> None:
    found = check(tmp_path, {"fleet/apps/shop.yaml": DEFINITION, "fleet/c/apps.yaml": flux()}, "fleet/apps/shop.yaml")
    assert found == ()  # the repository has no such folder
    (tmp_path / ".git").rmdir()
    kinds = load([tmp_path], SchemaSettings())
    path = tmp_path / "fleet" / "apps" / "shop.yaml"
    assert check_file(str(path), Text(DEFINITION), DEFAULT_SETTINGS, kinds).found.diagnostics


def test_the_rule_can_be_turned_off(tmp_path: Path) -> None:
    assert RULE_OF[CODE].severity == "warning"
    text = DEFINITION.replace("# its name", f"# kro-ls: ignore[{CODE}]")
    assert check(tmp_path, {"apps/shop.yaml": text, "apps.yaml": flux()}) == ()


def by_script(folder: Path, command: str, script: str = "deploy.sh", of: str = "apps/shop.yaml") -> list[str]:
    """Return the diagnostics of a definition with the expression `${other}` beside a script."""
    found = check(folder, {of: ONLY_NAMES, script: command}, of=of)
    return [each.message for each in found]


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("envsubst < apps/shop.yaml | kubectl apply -f -", "deploy.sh"),
        ('envsubst <"$ROOT/apps/shop.yaml" | kubectl apply -f -', "scripts/deploy.sh"),
        ("cat apps/*.yaml | envsubst | kubectl apply -f -", "deploy.sh"),
        ('for f in apps/*.yaml; do\n  envsubst < "$f" | kubectl apply -f -\ndone', "deploy.sh"),
        ("apply:\n\tfor f in apps/*.yaml; do envsubst < $$f | kubectl apply -f -; done", "Makefile"),
        ("steps:\n  - run: envsubst < apps/shop.yaml | kubectl apply -f -", ".github/workflows/deploy.yaml"),
        ("envsubst '$other' < shop.yaml", "apps/deploy.sh"),
        ("cat \\\n  ../apps/shop.yaml | FOO=1 envsubst", "ci/deploy.sh"),
    ],
)
def test_a_script_that_pipes_the_definition_through_envsubst(tmp_path: Path, command: str, script: str) -> None:
    (shown,) = by_script(tmp_path, command, script)
    name = script.rpartition("/")[2]
    assert shown.startswith(f"{name} pipes this through envsubst, which replaces '${{other}}' before kro sees it; name")


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("envsubst '$IMAGE ${HOST}' < apps/shop.yaml", "deploy.sh"),
        ("envsubst \"$(env | cut -d= -f1 | sed 's/^/$/')\" < apps/shop.yaml", "deploy.sh"),
        ("envsubst < apps/other.yaml", "deploy.sh"),
        ('envsubst < "$FILE"', "deploy.sh"),
        ("envsubst < 'apps/shop.yaml", "deploy.sh"),
        ("# envsubst < apps/shop.yaml", "deploy.sh"),
        ("kubectl apply -f apps/shop.yaml # no envsubst", "deploy.sh"),
        ("envsubst < apps/shop.yaml", "notes.txt"),
    ],
)
def test_a_script_that_leaves_the_expressions_alone(tmp_path: Path, command: str, script: str) -> None:
    assert by_script(tmp_path, command, script) == []


def test_envsubst_leaves_more_than_a_name_alone(tmp_path: Path) -> None:
    files = {"apps/shop.yaml": DEFINITION, "deploy.sh": "envsubst < apps/shop.yaml"}
    assert check(tmp_path, files) == ()


def test_what_kustomize_builds_for_envsubst(tmp_path: Path) -> None:
    files = {
        "apps/shop.yaml": ONLY_NAMES,
        "apps/kustomization.yaml": "resources: [shop.yaml]",
        "deploy.sh": "kustomize build apps | envsubst | kubectl apply -f -",
    }
    (shown,) = check(tmp_path, files)
    assert shown.files[0].path == str(tmp_path / "deploy.sh")
