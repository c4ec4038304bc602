"""`kro-ls kinds`: the kinds that kro-ls knows, and where their definitions come from."""

from __future__ import annotations

from types import MappingProxyType

import click

from kro_ls.cli.command_group import CommandGroup


class _Commands(CommandGroup):
    modules = MappingProxyType(
        {
            "add": "kro_ls.cli.kinds.adding",
            "check": "kro_ls.cli.kinds.comparing",
            "fetch": "kro_ls.cli.kinds.fetching",
            "list": "kro_ls.cli.kinds.listing",
            "pull": "kro_ls.cli.kinds.pulling",
            "show": "kro_ls.cli.kinds.showing",
        }
    )


@click.command("kinds", cls=_Commands)
def command() -> None:
    """Show which kinds are known, and get the definitions of more.

    Definitions are kept in your store, a folder that every command and editor reads, or with -o in a folder of a
    repository, for colleagues and CI.
    """
