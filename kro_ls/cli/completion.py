"""`kro-ls completion`: what a shell needs to complete commands, options, and codes of rules."""

from __future__ import annotations

from typing import Final

import click

_BASH: Final = """\
_kro_ls_completion() {
    local IFS=$'\\n' answer type word prefix=
    local -a words=()
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if (( ${#words[@]} > 1 )) && [[ $word == "=" || ${words[-1]} == *= ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done
    [[ ${words[-1]} == *=* ]] && prefix=${words[-1]%=*}=
    COMPREPLY=()
    while IFS=',' read -r type answer; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("${answer#"$prefix"}") ;;
        esac
    done < <(COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]}-1)) _KRO_LS_COMPLETE=bash_complete $1)
}

complete -o nosort -F _kro_ls_completion kro-ls
"""
"""Like click's script, but without its check of bash's version, which starts another bash.

Bash takes `a=b` for three words, and replaces only the last of them.
"""

_ZSH: Final = """\
#compdef kro-ls

_kro_ls_completion() {
    local type key about line prefix=
    local -a answers values lines
    answers=("${(@f)$(COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) _KRO_LS_COMPLETE=zsh_complete $words[1])}")
    [[ $PREFIX == --*=* ]] && prefix=${PREFIX%%=*}=
    for type key about in "${(@)answers}"; do
        case $type in
            dir) _path_files -/ ;;
            file) _path_files -f ;;
            plain)
                line=$key
                [[ $about == _ ]] || line="$key  -- $about"
                values+=("$prefix$key")
                lines+=("${line[1,COLUMNS-1]}")
                ;;
        esac
    done
    (( $#values )) && compadd -U -l -V kro-ls -d lines -a values
}

if [[ $funcstack[1] == _kro-ls ]]; then
    _kro_ls_completion "$@"
else
    compdef _kro_ls_completion kro-ls
fi
"""
"""Like click's script, but it completes values after `--option=`, and every Tab completes, the second one included."""


_FISH: Final = """\
function _kro_ls_completion
    set -l word (commandline -ct)
    set -l prefix (string match -r -- '^--[^=]*=' $word; or echo)
    set -l answers (COMP_WORDS=(commandline -cp) COMP_CWORD=$word _KRO_LS_COMPLETE=fish_complete kro-ls)
    for answer in $answers
        set -l parts (string split -m 1 -- , $answer)
        switch $parts[1]
            case dir
                __fish_complete_directories $word
            case file
                __fish_complete_path $word
            case plain
                echo -- $prefix$parts[2]
        end
    end
end

complete --no-files --command kro-ls --arguments "(_kro_ls_completion)"
"""
"""Like click's script, but it completes values after `--option=` and values that contain a comma."""


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
    click.echo({"bash": _BASH, "zsh": _ZSH, "fish": _FISH}[shell], nl=False)
