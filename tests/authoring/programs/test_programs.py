"""Twenty programs that type checkers accept and that become definitions, and twenty that are refused at a marked line.

`# error` marks the line that mypy and pyright both refuse. `# raises NotInCelError` marks the one that raises where no
type can know.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import traceback
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from kro_ls.authoring import CompositionError, compositions_of
from kro_ls.cli.main import cli
from tests.authoring.test_typekro_page import PROGRAM
from tests.paths import ROOT

HERE = Path(__file__).parent
RIGHT = sorted(HERE.glob("right/*.py"))
WRONG = sorted(HERE.glob("wrong/*.py"))
OF_PAGE = "right/program_of_typekro_page.py"
MARK = re.compile(r"# (error|raises (\w+))$")
PYRIGHT = ROOT / "editors/node_modules/pyright/index.js"
NODE = ROOT / ".cache/editors/vscode/node24/node_modules/node/bin/node"


def name(path: Path) -> str:
    return path.relative_to(HERE).as_posix()


def marks(path: Path) -> list[tuple[int, str]]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [(number, found[2] or "") for number, line in lines if (found := MARK.search(line))]


def run(*command: str | Path, cwd: Path) -> str:
    return subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False).stdout


def lacks(what: str) -> None:
    reason = f"{what} is missing"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs, and with the stubs of its custom kind where both type checkers look."""
    folder = tmp_path_factory.mktemp("project")
    for each in ("right", "wrong", "crds.yaml"):
        (shutil.copytree if (HERE / each).is_dir() else shutil.copy)(HERE / each, folder / each)
    (folder / OF_PAGE).write_text(PROGRAM)
    run(sys.executable, "-m", "kro_ls", "stubs", "-o", "typings", cwd=folder)
    assert (folder / "typings/kro_ls/authoring/kinds/example_com/v1.pyi").is_file()
    (folder / "mypy.ini").write_text("[mypy]\nstrict = true\nmypy_path = typings\n")
    settings = {"include": ["right", "wrong"], "typeCheckingMode": "standard", "reportMissingModuleSource": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return folder


@pytest.fixture(scope="module")
def refused_by_mypy(project: Path) -> dict[str, set[int]]:
    if not find_spec("mypy"):
        lacks("mypy")
    found: dict[str, set[int]] = {}
    for line in run(sys.executable, "-m", "mypy", "right", "wrong", cwd=project).splitlines():
        path, _, rest = line.partition(":")
        if ": error:" in line:
            found.setdefault(path.replace(os.sep, "/"), set()).add(int(rest.partition(":")[0]))
    return found


@pytest.fixture(scope="module")
def refused_by_pyright(project: Path) -> dict[str, set[int]]:
    node = NODE if NODE.is_file() else shutil.which("node")
    if node is None or not PYRIGHT.is_file():
        lacks("pyright, which 'scripts/views build' installs,")
    output = run(str(node), PYRIGHT, "--outputjson", "--pythonpath", sys.executable, "-p", ".", cwd=project)
    found: dict[str, set[int]] = {}
    for each in json.loads(output)["generalDiagnostics"]:
        if each["severity"] == "error":
            path = Path(each["file"]).relative_to(project.resolve()).as_posix()
            found.setdefault(path, set()).add(each["range"]["start"]["line"] + 1)
    return found


def test_there_are_twenty_of_each() -> None:
    assert (len(RIGHT), len(WRONG)) == (20, 20)
    assert {len(marks(path)) for path in WRONG} == {1}
    assert not any(map(marks, RIGHT))


@pytest.mark.parametrize("path", [*RIGHT, *WRONG], ids=name)
def test_mypy(path: Path, refused_by_mypy: dict[str, set[int]]) -> None:
    assert refused_by_mypy.get(name(path), set()) == {line for line, raised in marks(path) if not raised}


@pytest.mark.parametrize("path", [*RIGHT, *WRONG], ids=name)
def test_pyright(path: Path, refused_by_pyright: dict[str, set[int]]) -> None:
    assert refused_by_pyright.get(name(path), set()) == {line for line, raised in marks(path) if not raised}


def test_mypy_accepts_the_program_of_the_page_about_typekro(refused_by_mypy: dict[str, set[int]]) -> None:
    assert OF_PAGE not in refused_by_mypy


def test_pyright_accepts_the_program_of_the_page_about_typekro(refused_by_pyright: dict[str, set[int]]) -> None:
    assert OF_PAGE not in refused_by_pyright


@pytest.mark.parametrize("path", RIGHT, ids=name)
def test_a_right_program_becomes_a_definition(path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checked(path, project, monkeypatch) == (0, [])


@pytest.mark.parametrize("path", WRONG, ids=name)
def test_a_wrong_program_raises_or_is_found(path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also without a type checker, except that a status has whatever type its values have."""
    ((line, raised),) = marks(path)
    reported: Exception | None = None
    findings: list[str] = []
    try:
        _, findings = checked(path, project, monkeypatch)
    except (CompositionError, ImportError, AttributeError) as error:
        reported = error
    if reported is None:
        assert not raised
        assert findings or path.stem == "wrong_status"
        return
    frame = [frame for frame in traceback.extract_tb(reported.__traceback__) if Path(frame.filename) == path][-1]
    assert frame.lineno is not None
    assert frame.lineno <= line <= (frame.end_lineno or frame.lineno)
    assert raised in ("", type(reported).__name__)


def checked(path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str]]:
    """Run a program, write its definitions, and return what `kro-ls check` ends with and finds."""
    monkeypatch.chdir(project)
    module = ModuleType("program")
    module.__dict__.update(runpy.run_path(str(path)))
    text = "---\n".join(each.to_yaml() for each in compositions_of(module))
    assert "kind: ResourceGraphDefinition\n" in text
    result = CliRunner().invoke(cli, ["check", "-", "--crds", "crds.yaml", "--format", "concise"], input=text)
    return result.exit_code, [line for line in result.output.splitlines() if line.startswith("<stdin>:")]
