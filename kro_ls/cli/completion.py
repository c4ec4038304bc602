"""`kro-ls completion`: what a shell needs to complete commands, options, and codes of rules."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import FishComplete, ZshComplete

_NAME: Final = "kro-ls"
_VARIABLE: Final = "_KRO_LS_COMPLETE"

_BASH: Final = """\
_kro_ls_completion() {
    local IFS=$'\\n' answer type
    COMPREPLY=()
    while IFS=',' read -r type answer; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$answer") ;;
        esac
    done < <(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD _KRO_LS_COMPLETE=bash_complete $1)
}

complete -o nosort -F _kro_ls_completion kro-ls
"""
"""As click's own, without its question for the version of bash, which needs a bash beside the shell."""


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that completes commands in a shell.

    It completes options, their values and the codes of rules, too.

    \b
    bash:  kro-ls completion bash > ~/.local/share/bash-completion/completions/kro-ls
    zsh:   kro-ls completion zsh > ~/.zfunc/_kro-ls      (~/.zfunc must be in $fpath)
    fish:  kro-ls completion fish > ~/.config/fish/completions/kro-ls.fish
    """
    click.echo(_BASH if shell == "bash" else _source(shell), nl=False)


def _source(shell: str) -> str:
    completion = ZshComplete if shell == "zsh" else FishComplete
    return completion(click.Command(_NAME), {}, _NAME, _VARIABLE).source().strip("\n") + "\n"
