"""`kro-ls config`: the settings that are in effect for a file or folder, and where each of them comes from."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

import click
from msgspec import Struct

from kro_ls.cli.options import text_or_json
from kro_ls.cli.settings_options import chosen_selection, settings_options
from kro_ls.kro.controller import FEATURE_GATES
from kro_ls.kro.versions.version import NEWEST
from kro_ls.openapi.sources.bundled import minors
from kro_ls.openapi.sources.disk_cache import cache_folder
from kro_ls.openapi.sources.pack.policy import PackPolicy
from kro_ls.printable import printable, printable_literals, unicode_text
from kro_ls.rules.registry import RULES
from kro_ls.workspace.project_file import PROJECT_FILE, ProjectSettings, project_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.cli.settings_options import GivenSettings
    from kro_ls.openapi.json_values import JsonValue

_DEFAULT: Final = "default"
_OFF: Final = "off"
_CACHE_VARIABLES: Final = ("XDG_CACHE_HOME", "LOCALAPPDATA")
_TOKEN: Final = "KRO_LS_TOKEN"  # noqa: S105 (its name)


class _Setting(Struct, frozen=True):
    """A setting, its value, and where that comes from: `default`, a file, a variable or an option."""

    name: str
    value: JsonValue
    origin: str


@click.command("config")
@click.argument("path", type=click.Path(path_type=Path, exists=True), default=Path())
@text_or_json("How to print them.")
@click.option(
    "--all", "with_defaults", is_flag=True, help="List the severity of every rule, even where it is the default."
)
@settings_options
def command(path: Path, output_format: str, with_defaults: bool, **given: Unpack[GivenSettings]) -> None:
    """Show the settings in effect and where each comes from.

    PATH is a file or a folder, the working folder by default. Settings come from the nearest .kro-ls.yaml at PATH or
    above, and from the environment; the options of 'kro-ls check', which this command also takes, override both.
    """
    project = project_settings(path / PROJECT_FILE if path.is_dir() else path)
    found = list(_settings(project, given, with_defaults=with_defaults))
    if output_format == "json":
        data = [{"name": each.name, "value": each.value, "origin": unicode_text(each.origin)} for each in found]
        click.echo(printable_literals(json.dumps(data, indent=2)))
        return
    width = max(len(each.name) for each in found)
    values = [_shown(each.value) for each in found]
    value_width = min(30, max(map(len, values)))
    for each, value in zip(found, values, strict=True):
        origin = click.style(printable(each.origin), dim=each.origin == _DEFAULT)
        click.echo(f"{each.name:{width}}  {value:{value_width}}  {origin}")


def _settings(project: ProjectSettings | None, given: GivenSettings, *, with_defaults: bool) -> Iterator[_Setting]:
    file = str(project.folder / PROJECT_FILE) if project else _DEFAULT
    own = project or ProjectSettings(Path())
    yield _first(
        "version",
        ("option --kro-version", ", ".join(map(str, given["versions"]))),
        (file, str(own.version) if own.version else ""),
        (_DEFAULT, str(NEWEST)),
    )
    yield _first(
        "kubernetesVersion",
        ("option --kubernetes-version", given["kubernetes_version"] or ""),
        (file, own.kubernetes_version or ""),
        (_DEFAULT, minors()[0]),
    )
    policies = (("option --kinds", PackPolicy.of(dict(given["well_known"]))), (file, own.well_known))
    yield _joined("kinds", *((origin, list(map("=".join, each.choices))) for origin, each in policies))
    yield _joined("crds", ("option --crds", given["crds"]), (file, own.crds))
    yield _joined("openapi", (file, own.openapi))
    for name in FEATURE_GATES:
        in_option, in_file = name in given["feature_gates"], name in own.feature_gates
        origin = "option --feature-gate" if in_option else file if in_file else _DEFAULT
        yield _Setting(f"featureGates.{name}", in_option or in_file, origin)
    yield _joined("select", ("option --select", chosen_selection(given).selected))
    yield _joined("ignore", ("option --ignore", chosen_selection(given).ignored))
    yield from _severities(own, given, file, with_defaults=with_defaults)
    yield from _of_environment()


def _first(name: str, *said: tuple[str, str]) -> _Setting:
    """Return the setting of the first source that sets it; each source is an origin with a value."""
    origin, value = next(each for each in said if each[1])
    return _Setting(name, value, origin)


def _joined(name: str, *said: tuple[str, Sequence[str]]) -> _Setting:
    """Return a setting that combines the values of all sources that set it."""
    origins = [origin for origin, values in said if values]
    return _Setting(name, [each for _, values in said for each in values], " and ".join(origins) or _DEFAULT)


def _severities(
    project: ProjectSettings, given: GivenSettings, file: str, *, with_defaults: bool
) -> Iterator[_Setting]:
    in_options, in_file = dict(given["severities"]), dict(project.severities)
    for rule in RULES:
        name = f"severity.{rule.code}"
        if rule.code in in_options:
            yield _Setting(name, in_options[rule.code] or _OFF, "option --severity")
        elif rule.code in in_file:
            yield _Setting(name, in_file[rule.code] or _OFF, file)
        elif with_defaults:
            yield _Setting(name, rule.severity.value, _DEFAULT)


def _of_environment() -> Iterator[_Setting]:
    colours = {"NO_COLOR": "never", "FORCE_COLOR": "always"}
    used = next((name for name in colours if os.environ.get(name)), None)
    yield _Setting("color", colours.get(used or "", "auto"), f"environment variable {used}" if used else _DEFAULT)
    folder = str(cache_folder())
    base = next((each for each in _CACHE_VARIABLES if folder.startswith(os.environ.get(each) or "\0")), None)
    yield _Setting("cache", unicode_text(folder), f"environment variable {base}" if base else _DEFAULT)
    if os.environ.get(_TOKEN):  # which is a secret
        yield _Setting("serve --token", "(set)", f"environment variable {_TOKEN}")


def _shown(value: JsonValue) -> str:
    return printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
