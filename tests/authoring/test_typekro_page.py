"""docs/typekro.md: what it says of forms, of expressions and of compositions is so."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from kro_ls.authoring import CompositionError, compositions_of
from kro_ls.deploying import Run
from kro_ls.openapi.json_values import JsonObject, as_object
from kro_ls.repairs.upgrade import upgrade
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.paths import ROOT

PAGE = (ROOT / "docs/typekro.md").read_text(encoding="utf-8")
HEAD = """\
from dataclasses import dataclass, field
from kro_ls.authoring import cel, composition, each, when
from kro_ls.authoring.kinds.apps.v1 import Deployment
from kro_ls.authoring.kinds.core.v1 import Service

@dataclass
class Spec:
    name: str
    image: str = "nginx:1.29"
    replicas: int = 2
    environment: str = "dev"
    regions: list[str] = field(default_factory=list)

@composition(kind="Demo")
def demo(spec: Spec):
    labels = {"app": spec.name}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": spec.image}]}}
    app = Deployment(
        id="app", metadata={"name": spec.name}, spec={"selector": {"matchLabels": labels}, "template": pod}
    )
    service = Service(id="service", metadata={"name": spec.name}, spec={"selector": labels, "ports": [{"port": 80}]})
    return {"it": EXPRESSION}
"""
FORM = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string | default=x
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.spec.name}
        data: {host: a}
    - id: other
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: other-${schema.spec.name}
        data:
          form: "FORM"
"""

PRESENT = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      name: string | required=true
      replicas: integer | default=2
      tier: string
      public: boolean | default=false
    status:
      form: 'STATUS'
  resources:
    - id: settings
      externalRef:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: settings
    - id: web
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: ${schema.spec.name}
        spec:
          replicas: ${schema.spec.replicas}
          selector:
            matchLabels: {app: web}
          template:
            metadata:
              labels: {app: web}
            spec:
              containers:
                - name: main
                  image: nginx:1.29
    - id: other
      includeWhen:
        - INCLUDE_WHEN
      readyWhen:
        - READY_WHEN
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: other-${schema.spec.name}
        data:
          host: ${settings.data.host}
          form: 'TEMPLATE'
"""
PLACES = {
    "status": ("STATUS", "${web.status.readyReplicas}"),
    "template": ("TEMPLATE", "a"),
    "includeWhen": ("INCLUDE_WHEN", "${schema.spec.public}"),
    "readyWhen": ("READY_WHEN", "${has(other.metadata.annotations)}"),
}
"""The places of forms, each with its word in the definition and the usual text there."""


def rows(first: str) -> list[tuple[str, ...]]:
    """Return the rows of the table whose head begins with these words, each cell without backquotes."""
    body = PAGE.split(f"| {first} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [tuple(map(_plain, re.split(r"(?<!\\)\|", line)[1:-1])) for line in body]


def _plain(cell: str) -> str:
    found = re.fullmatch(r"(`+) ?(.*?) ?\1", cell.strip())
    return (found[2] if found else cell.strip()).replace("\\|", "|")


def loaded(text: str, folder: Path) -> ModuleType:
    file = folder / "program.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("typekro_program", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    sys.modules.pop("typekro_program", None)


@pytest.mark.parametrize(("form", "code", "after"), rows("form | message | after `upgrade`"), ids=lambda cell: cell)
def test_an_older_form(form: str, code: str, after: str) -> None:
    text = FORM.replace("FORM", form)
    if form.startswith("kind:"):
        text = FORM.replace("kind: ResourceGraphDefinition", form).replace("template:", "definition:")
        after = after.removeprefix("kind: ")
    diagnostics = diagnose_text(Text(text)).diagnostics
    assert code in {each.code for each in diagnostics}
    found = upgrade(Document("app.yaml", None, Text(text)))
    assert found.left == ()
    assert after in found.text.content
    assert form not in found.text.content
    assert not [each for each in found.document.diagnosis.diagnostics if each.severity is Severity.ERROR]


@pytest.mark.parametrize(("form", "place"), rows("form | place"))
def test_a_form_of_the_present_version(form: str, place: str) -> None:
    text = PRESENT
    for name, (word, other) in PLACES.items():
        text = text.replace(word, form if name == place else other)
    found = diagnose_text(Text(text)).diagnostics
    assert [each for each in found if each.severity in (Severity.ERROR, Severity.WARNING)] == []


def status_of(text: str) -> JsonObject:
    (document,) = parse_stream(Text(text)).documents
    schema = as_object(as_object(as_object(document.to_python()).get("spec")).get("schema"))
    return as_object(schema.get("status"))


@pytest.mark.parametrize(("python", "made"), [row[1:] for row in rows("TypeKro | Python | what both become")])
def test_an_expression(python: str, made: str, tmp_path: Path) -> None:
    text = loaded(HEAD.replace("EXPRESSION", python), tmp_path).demo.to_yaml()
    assert status_of(text)["it"] == made
    assert not [each for each in diagnose_text(Text(text)).diagnostics if each.severity is Severity.ERROR]


@pytest.mark.parametrize(("python", "reported"), [row[1:] for row in rows("TypeKro | Python | the error")])
def test_what_has_no_equivalent_is_reported(python: str, reported: str, tmp_path: Path) -> None:
    module = loaded(HEAD.replace("EXPRESSION", python), tmp_path)
    with pytest.raises(CompositionError, match=re.escape(reported)):
        module.demo.to_yaml()


def test_fields_of_the_schema(tmp_path: Path) -> None:
    """What the page says of defaults, bounds, and fields that may be left out."""
    fields = "    tier: str | None = None\n    size: Annotated[int, Meta(ge=1)] = 1\n"
    head = HEAD.replace("    image: str", f"{fields}    image: str").replace("EXPRESSION", "spec.name")
    imports = "from typing import Annotated\nfrom msgspec import Meta\n"
    text = loaded(imports + head, tmp_path).demo.to_yaml()
    for line in ("name: string | required=true", "tier: string", "size: integer | default=1 minimum=1"):
        assert f"      {line}\n" in text


PROGRAM = "\n\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_whole_composition(tmp_path: Path) -> None:
    whole, resource = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    module = loaded(PROGRAM, tmp_path)
    text = module.web_app.to_yaml()
    assert text.partition("# kro-ls map:")[0] == whole
    assert diagnose_text(Text(text)).diagnostics == ()
    assert resource in module.platform.to_yaml()
    assert module.factory.instance("shop", {})["metadata"] == {"name": "shop", "namespace": "production"}
    assert isinstance(module.run, Run)  # nothing has happened yet
    assert [each.kind for each in compositions_of(module)] == ["WebApp", "Platform"]
