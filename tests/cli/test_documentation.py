from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from kro_ls.cli import settings_page
from kro_ls.cli.documentation import command, pages
from kro_ls.rules.registry import RULES
from tests.paths import ROOT

COMMITTED = ROOT / "docs/rules"


def test_there_is_a_page_for_each_rule_and_an_index() -> None:
    assert set(pages()) == {"README.md", *(f"{rule.code}.md" for rule in RULES)}


def test_the_committed_pages_are_those_of_the_rules() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in COMMITTED.glob("*.md")}
    assert committed == pages(), "run: python -m kro_ls.cli.documentation docs/rules"


def test_pages_are_written_and_stale_ones_removed(tmp_path: Path) -> None:
    folder = tmp_path / "docs/rules"
    folder.mkdir(parents=True)
    (folder / "gone.md").touch()
    assert CliRunner().invoke(command, [str(folder)]).exit_code == 0
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == pages()


def test_the_committed_page_of_the_settings_is_that_of_their_schema() -> None:
    committed = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    assert committed == settings_page.page(), "run: python -m kro_ls.cli.settings_page docs/settings.md"
