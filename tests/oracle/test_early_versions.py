"""Tests that versions of kro without an oracle accept what is rewritten for them, as far as they can be asked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kro_ls.kro.versions.version import parse_version
from kro_ls.render.yaml_text import to_yaml
from kro_ls.repairs.upgrade import Upgrade, upgrade
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import to_python
from kro_ls.yaml_positions.text import Text
from tests.oracle.oracle import ROOT, Case, ask
from tests.oracle.test_oracle import needs_go

_BUILT = ROOT / ".cache" / "oracle" / "early"
_REPOSITORY = os.environ.get("KRO_REPOSITORY", "https://github.com/kubernetes-sigs/kro")
_NEWEST = "0.9.4"


def sources(version: str) -> Path:
    """Return kro's sources of a version; skip the test if the repository does not answer."""
    folder = _BUILT / version
    if not (folder / "go.mod").exists():
        tag = ["--branch", f"v{version}", "--depth", "1"]
        if subprocess.run(["git", "clone", "--quiet", *tag, _REPOSITORY, str(folder)], check=False).returncode:
            pytest.skip(f"{_REPOSITORY} does not answer: name a mirror in KRO_REPOSITORY")
    return folder


def ask_early(questions: list[Case]) -> list[Case]:
    """Return the schemas that kro 0.7.1 generates."""
    shutil.copytree(Path(__file__).parent / "early", _BUILT, dirs_exist_ok=True)
    replaced = f"-replace=github.com/kubernetes-sigs/kro={sources('0.7.1')}"
    subprocess.run(["go", "mod", "edit", replaced], cwd=_BUILT, check=True)
    subprocess.run(["go", "build", "-mod=mod", "-buildvcs=false", "-o", "answer", "main.go"], cwd=_BUILT, check=True)
    lines = "".join(f"{json.dumps(each)}\n" for each in questions)
    found = subprocess.run([_BUILT / "answer"], input=lines, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    return [json.loads(line) for line in found.stdout.splitlines()]


def definition(schema: dict[str, Any], *resources: dict[str, Any]) -> Case:
    head = {"apiVersion": "kro.run/v1alpha1", "kind": "ResourceGraphDefinition", "metadata": {"name": "x"}}
    return {**head, "spec": {"schema": {"apiVersion": "v1alpha1", "kind": "App", **schema}, "resources": [*resources]}}


def with_types_in_types(random: Random) -> Case:
    names = ["A", "B", "C", "D"][: random.randint(2, 4)]
    plain = ["string", "integer", "string | default=x", "[]string", "map[string]string", "boolean | default=true"]
    types = {
        name: {f"f{field}": random.choice([*plain, *names[index + 1 :] * 4]) for field in range(random.randint(1, 3))}
        for index, name in enumerate(names)
    }
    spec = {f"s{field}": random.choice([*names, "string", f"[]{names[-1]}"]) for field in range(random.randint(1, 3))}
    return definition({"spec": spec, "types": types})


def with_references(random: Random) -> Case:
    ids = random.sample(["db", "cfg", "sec", "net"], random.randint(1, 3))
    references = []
    for id_ in ids:
        metadata = {"name": random.choice(["x", "${schema.spec.name}"])}
        if random.random() < 0.3:
            metadata["namespace"] = "given"
        references.append({"id": id_, "externalRef": {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}})
    data = {id_: f"${{{id_}.metadata.name}}" for id_ in ids}
    user = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "out"}, "data": data}
    return definition({"spec": {"name": "string"}}, *references, {"id": "out", "template": user})


def upgraded(case: Case, version: str, *, as_json: bool) -> Upgrade:
    text = json.dumps(case, indent=1) if as_json else to_yaml(case)
    return upgrade(Document("", None, Text(text), settings=Settings(version=parse_version(version))))


@needs_go
def test_types_in_types_are_written_out_as_0_7_takes_them() -> None:
    random = Random(5)
    old = [with_types_in_types(random) for _ in range(100)]
    found = [upgraded(each, "0.7.1", as_json=number % 2 == 0) for number, each in enumerate(old)]
    new = [to_python(parse_stream(each.text).documents[0].frame.chunk.root) for each in found]

    def questions(definitions: list[Any]) -> list[Case]:
        return [{name: each["spec"]["schema"][name] for name in ("spec", "types")} for each in definitions]

    before, after = ask_early(questions(old)), ask_early(questions(new))
    meant = ask(_NEWEST, questions(old))
    refused = [number for number, each in enumerate(before) if "error" in each]
    assert len(refused) > 60
    for number in range(len(old)):
        assert bool(found[number].steps) == (number in refused)
        assert not found[number].left
        assert after[number].get("schema") == meant[number]["schema"]


@needs_go
def test_references_are_given_the_namespace_that_0_6_asks_for(tmp_path: Path) -> None:
    crd = "kro.run_resourcegraphdefinitions.yaml"
    shutil.copy(sources("0.6.3") / "helm" / "crds" / crd, tmp_path / "zzz.yaml")
    random = Random(3)
    old = [with_references(random) for _ in range(100)]
    found = [upgraded(each, "0.6.3", as_json=number % 2 == 0) for number, each in enumerate(old)]
    options = ("--crds", str(tmp_path))
    before = ask(_NEWEST, [{"rgd": json.dumps(each)} for each in old], options)
    after = ask(_NEWEST, [{"rgd": each.text.content} for each in found], options)
    refused = [number for number, each in enumerate(before) if each.get("admissionErrors")]
    assert len(refused) > 60
    for number, each in enumerate(after):
        assert bool(found[number].steps) == (number in refused)
        assert each["accepted"], each
