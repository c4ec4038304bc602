"""`kro-ls explain`: what a diagnostic, or a message of kro, means and how to fix it."""

from __future__ import annotations

import sys

import click

from kro_ls.cli.input_error import InputError
from kro_ls.cli.options import format_option
from kro_ls.cli.selection import complete_codes
from kro_ls.render.rule_page import index, page
from kro_ls.rules.registry import RULES, rules_about


@click.command("explain")
@click.argument("code", nargs=-1, metavar="[CODE | TEXT]", shell_complete=lambda *given: complete_codes(given[2]))
@format_option("text is laid out for the terminal; markdown is the page as in docs/rules.", "text", "markdown")
@click.pass_context
def command(context: click.Context, code: tuple[str, ...], output_format: str) -> None:
    """Explain a rule, with a wrong and a right example.

    CODE is the name in brackets after a diagnostic's severity. TEXT is what kro printed in a cluster, or a part of
    it. Without either, all rules are listed.
    """
    if not code:
        click.echo(index() if output_format == "markdown" else _listing(), nl=False)
        return
    try:
        found = rules_about(" ".join(code))
    except LookupError as error:
        raise InputError(str(error)) from error
    markdown = "\n".join(map(page, found))
    if output_format == "markdown" or not sys.stdout.isatty():
        click.echo(markdown, nl=False)
    else:
        from rich.console import Console
        from rich.markdown import Markdown

        Console(no_color=context.color is False).print(Markdown(markdown))


def _listing() -> str:
    width = max(len(rule.code) for rule in RULES)
    severity_width = max(len(rule.severity) for rule in RULES)
    lines = (f"{rule.code:{width}}  {rule.severity:{severity_width}}  {rule.summary}" for rule in RULES)
    return "".join(f"{line}\n" for line in lines)
