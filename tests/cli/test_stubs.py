"""`kro-ls stubs`."""

from pathlib import Path

import pytest

from kro_ls.render.yaml_text import to_yaml
from tests.fixtures.crds import crd
from tests.fixtures.processes import Invoke

WIDGET = Path("typings/kro_ls/authoring/kinds/example_com/v1.pyi")


@pytest.fixture(autouse=True)
def known(invoke: Invoke) -> None:
    Path("crds.yaml").write_text("---\n".join(map(to_yaml, (crd("Widget"), crd("Cog"), crd("Gear", "other.org")))))


def test_every_kind_of_the_working_folder(invoke: Invoke) -> None:
    result = invoke("stubs", "-o", "typings")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "typings/kro_ls/authoring/kinds/example_com/v1.pyi",
        "typings/kro_ls/authoring/kinds/other_org/v1.pyi",
        "3 kinds in 2 files",
    ]
    stub = WIDGET.read_text()
    assert "class Widget(ApiObject):\n" in stub
    assert "class Cog(ApiObject):\n" in stub
    assert "class CogSpec(TypedDict, total=False):\n    name: Required[str]\n    size: int\n" in stub
    assert "class CogSpecReference:\n    name: str\n    size: int\n" in stub
    assert "WidgetSpec = CogSpec\n" in stub


def test_named_kinds(invoke: Invoke) -> None:
    assert invoke("stubs", "-o", "typings", "Widget").stdout.endswith("1 kind in 1 file\n")
    assert "class Cog" not in WIDGET.read_text()
    assert invoke("stubs", "-o", "typings", "other.org", "Cog").stdout.endswith("2 kinds in 2 files\n")


def test_definitions_from_elsewhere(invoke: Invoke, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "crd.yaml"
    elsewhere.write_text(to_yaml(crd("Nut", "far.org")))
    assert "far_org/v1.pyi" in invoke("stubs", "-o", "typings", "--crds", str(elsewhere)).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Deployment",), "the kinds of Kubernetes itself need no stubs"),
        (("Widgit",), "did you mean 'Widget'?"),
        (("--crds", "missing"), "--crds missing: nothing is there"),
    ],
)
def test_what_cannot_be(invoke: Invoke, arguments: tuple[str, ...], message: str) -> None:
    result = invoke("stubs", "-o", "typings", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("settings", "message"),
    [("crds: 1\n", "line 1"), ('kubernetesVersion: "1.2"\n', "unknown Kubernetes version '1.2'")],
)
def test_settings_that_cannot_be_used(invoke: Invoke, settings: str, message: str) -> None:
    Path(".kro-ls.yaml").write_text(settings)
    result = invoke("stubs", "-o", "typings")
    assert result.exit_code == 2
    assert message in result.stderr


def test_nothing_to_write(invoke: Invoke) -> None:
    Path("crds.yaml").unlink()
    result = invoke("stubs", "-o", "typings")
    assert result.exit_code == 2
    assert "no definition of a custom kind is here" in result.stderr


def test_a_folder_that_cannot_be_written(invoke: Invoke) -> None:
    Path("typings").mkdir()
    Path("typings/kro_ls").write_text("")
    result = invoke("stubs", "-o", "typings")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
