"""What the tests with real editors share: a project with one fault, a clean environment, the documented settings."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


FAULTY = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: greeting
spec:
  schema:
    apiVersion: v1alpha1
    kind: Greeting
    spec:
      name: string | required=true
      replicas: integer | default=1
  resources:
    - id: greeting
      template:
        apiVersion: v1
        kind: ConfigMap
        data:
          greeting: ${schema.spec.?name.orValue("you")}
          replicas: ${string(schema.spec.replicas)}
        metadata:
          name: ${schema.spec.nmae}
"""


ASKED: Mapping[str, Mapping[str, object]] = {
    "graph": {"type": "show", "definition": 0, "fields": False, "instance": False, "comparison": False},
    "preview": {"type": "preview", "scenario": {}},
}
"""What a page asks for when it opens."""


@pytest.fixture
def faulty_file(tmp_path: Path) -> Path:
    """A definition whose last line names the unknown field `nmae`, alone in a project folder."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    path = project / "greeting.yaml"
    path.write_text(FAULTY, encoding="utf-8")
    return path


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A separate home, so that no user's settings are read, with this checkout's `kro-ls` first on the PATH."""
    home = tmp_path / "home"
    home.mkdir()
    return {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }


@pytest.fixture
def need() -> Callable[[str], str]:
    """Gives the path of an editor's command. Skips where it is missing; in CI that is a failure."""

    def find(command: str) -> str:
        path = shutil.which(command)
        if path is None:
            reason = f"no {command} here; scripts/setup-editors installs it"
            if os.environ.get("CI") == "true":
                pytest.fail(reason)
            pytest.skip(reason)
        return path

    return find


@pytest.fixture
def documented() -> Callable[[str, str], list[str]]:
    """Return the code blocks of a language in an editor's page, in order: the tests follow the page."""

    def blocks(editor: str, language: str) -> list[str]:
        page = (ROOT / "editors" / editor / "README.md").read_text(encoding="utf-8")
        found = re.findall(rf"^```{language}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
        assert found, f"editors/{editor}/README.md has no {language} block"
        return found

    return blocks
