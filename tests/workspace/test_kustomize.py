"""Which files are patches of Kustomize."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kro_ls.workspace.kustomize import Kustomizations, is_patch

if TYPE_CHECKING:
    from pathlib import Path

PATCH = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  resources:
    - id: web
      template: {spec: {replicas: "${other.spec.replicas}"}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "patches").mkdir()
    for name in ("patches/one.yaml", "two.yaml", "three.yaml"):
        (tmp_path / name).write_text(PATCH, encoding="utf-8")
    (tmp_path / "kustomization.yaml").write_text(
        "resources: [three.yaml]\n"
        "patches:\n  - path: ./patches/one.yaml\n  - patch: |-\n      - op: remove\n"
        "patchesStrategicMerge:\n  - two.yaml\n  - |-\n    kind: ResourceGraphDefinition\n",
        encoding="utf-8",
    )
    return tmp_path


def test_a_file_is_a_patch_where_a_kustomization_lists_it(folder: Path) -> None:
    found = {path.name: is_patch(path) for path in folder.rglob("*.yaml")}
    assert found == {"one.yaml": True, "two.yaml": True, "three.yaml": False, "kustomization.yaml": False}


def test_a_kustomization_outside_of_the_repository_counts_for_nothing(folder: Path) -> None:
    (folder / "patches" / ".git").mkdir()
    assert not is_patch(folder / "patches" / "one.yaml")


def test_a_folder_is_read_once_for_all_its_files(folder: Path) -> None:
    known = Kustomizations()
    assert known.list_as_patch(folder / "two.yaml")
    (folder / "kustomization.yaml").unlink()
    assert known.list_as_patch(folder / "patches" / "one.yaml")
    assert not is_patch(folder / "patches" / "one.yaml")
