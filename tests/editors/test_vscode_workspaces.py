"""Visual Studio Code with several folders, each with its own settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.editors.conftest import FAULTY
from tests.editors.vscode import Server, VSCode, project
from tests.fixtures.definitions import rgd

if TYPE_CHECKING:
    import pytest

COLLECTION = rgd(
    """
- id: volumes
  forEach: [{zone: "${schema.spec.zones}"}]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${zone}"}}
""",
    spec="{zones: '[]string | required=true'}",
)
INSTANCE = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: of-new}\nspec: {zones: [north]}\n"
FILES = {
    "all.code-workspace": json.dumps({"folders": [{"path": "old"}, {"path": "new"}]}),
    "old/.kro-ls.yaml": "version: 0.6.3\nseverity: {undefined-field: hint}\n",
    "old/collection.yaml": COLLECTION,
    "old/greeting.yaml": FAULTY,
    "new/collection.yaml": COLLECTION,
    "new/instance.yaml": INSTANCE,
    "new/greeting.yaml": FAULTY,
}


def severity(code: VSCode, name: str) -> int:
    path = code.folder / name
    code.open(path)
    [found] = code.wait_for_diagnostics(path, ["undefined-field"])
    return int(found["severity"])


def test_each_folder_has_its_own_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Server(tmp_path_factory.mktemp("server"))
    with project(tmp_path_factory, FILES, server, width=1180, height=720) as code:
        assert len(code.run("return vscode.workspace.workspaceFolders.map(({name}) => name);")) == 2
        assert [severity(code, f"{folder}/greeting.yaml") for folder in ("old", "new")] == [3, 0]

        old, new = (code.folder / folder / "collection.yaml" for folder in ("old", "new"))
        code.open(old)
        [found, *_] = code.wait(
            """
            return vscode.languages.getDiagnostics(vscode.Uri.file(path)).map(({message}) => message);
            """,
            "that kro 0.6 has no collections",
            path=str(old),
        )
        assert found == "'forEach' needs kro 0.8.0"
        code.open(new)
        code.wait_for_diagnostics(new, [])
        title = code.wait(
            """
            const uri = vscode.Uri.file(path);
            const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri, 20);
            return lenses.map((each) => each.command?.title).find((title) => title?.includes("instance.yaml"));
            """,
            "the instance in the second folder",
            path=str(new),
        )
        assert title.startswith("Preview with")

        settings = code.folder / "new/.kro-ls.yaml"
        settings.write_text("severity: {undefined-field: warning}\n", encoding="utf-8")
        code.wait(
            "return vscode.languages.getDiagnostics(vscode.Uri.file(path))[0]?.severity === 1;",
            "the settings that were written",
            path=str(code.folder / "new/greeting.yaml"),
        )
        assert severity(code, "old/greeting.yaml") == 3
        assert len(server.processes) == 1, "a window has one server"
