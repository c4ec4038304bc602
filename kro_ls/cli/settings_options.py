"""The options that say how definitions are read and which rules are reported; they override `.kro-ls.yaml`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, TypedDict

import click

from kro_ls.cli.options import VersionsType, together
from kro_ls.cli.selection import CodesType, Selection, complete_codes
from kro_ls.kro.controller import FEATURE_GATES
from kro_ls.kro.versions.version import NEWEST
from kro_ls.openapi.sources.pack.policy import ALL_GROUPS, CHOICES
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.registry import find_rule
from kro_ls.rules.settings import Settings

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from kro_ls.kro.versions.version import Version

_OFF: Final = "off"
_SEVERITIES: Final = (*(each.value for each in Severity), _OFF)


class GivenSettings(TypedDict):
    """The values of the options, by the names of their parameters."""

    selected: tuple[tuple[str, ...], ...]
    ignored: tuple[tuple[str, ...], ...]
    severities: tuple[tuple[str, Severity | None], ...]
    feature_gates: tuple[str, ...]
    crds: tuple[str, ...]
    well_known: tuple[tuple[str, str], ...]
    kubernetes_version: str | None
    versions: tuple[Version, ...]


def chosen_settings(given: GivenSettings) -> Settings:
    """Return the settings that the options give; of several versions of kro, the first."""
    version = given["versions"][0] if given["versions"] else NEWEST
    return Settings(given["severities"], frozenset(given["feature_gates"]), version)


def chosen_selection(given: GivenSettings) -> Selection:
    """Return which rules are reported."""
    return Selection(tuple(chain(*given["selected"])), tuple(chain(*given["ignored"])))


class _SeverityOfRule(click.ParamType[tuple[str, Severity | None]]):
    """`CODE=SEVERITY`, both known."""

    name = "CODE=SEVERITY"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Severity | None]:
        code, separator, severity = str(value).partition("=")
        if not separator or severity not in _SEVERITIES:
            self.fail(f"{value!r} is not CODE=SEVERITY with one of {', '.join(_SEVERITIES)}.", param, ctx)
        try:
            rule = find_rule(code)
        except LookupError as error:
            self.fail(str(error), param, ctx)
        return rule.code, None if severity == _OFF else Severity(severity)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's signature)
        from click.shell_completion import CompletionItem

        code, separator, begun = incomplete.partition("=")
        if separator:
            return [CompletionItem(f"{code}={each}") for each in _SEVERITIES if each.startswith(begun)]
        return complete_codes(incomplete)


CRDS_OPTION: Final = click.option(
    "crds",
    "--crds",
    metavar="PATH",
    type=click.Path(),
    multiple=True,
    help="A file, folder or glob with CustomResourceDefinitions of kinds that are used. May be repeated.",
)


FEATURE_GATES_OPTION: Final = click.option(
    "feature_gates",
    "--feature-gate",
    type=click.Choice(tuple(FEATURE_GATES)),
    multiple=True,
    help="A feature gate of kro that is on in your cluster. May be repeated.",
)


class _ChoiceOfGroup(click.ParamType[tuple[str, str]]):
    """`[GROUP=]CHOICE`."""

    name = "[GROUP=]CHOICE"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        group, _, choice = str(value).rpartition("=")
        if choice not in CHOICES:
            self.fail(f"{value!r} is not one of {', '.join(CHOICES)}, nor GROUP= with one of them.", param, ctx)
        return group or ALL_GROUPS, choice

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 (click's signature)
        from click.shell_completion import CompletionItem

        group, separator, begun = incomplete.rpartition("=")
        return [CompletionItem(f"{group}{separator}{each}") for each in CHOICES if each.startswith(begun)]


settings_options = together(
    click.option(
        "--select",
        "selected",
        type=CodesType(),
        multiple=True,
        help="Report only these rules: codes, or prefixes of codes. May be repeated.",
    ),
    click.option(
        "--ignore",
        "ignored",
        type=CodesType(),
        multiple=True,
        help="Do not report these rules: codes, or prefixes of codes. May be repeated.",
    ),
    click.option(
        "severities",
        "--severity",
        type=_SeverityOfRule(),
        multiple=True,
        help="Give a rule another severity: error, warning, information, hint, or off. May be repeated.",
    ),
    FEATURE_GATES_OPTION,
    CRDS_OPTION,
    click.option(
        "well_known",
        "--kinds",
        type=_ChoiceOfGroup(),
        multiple=True,
        help="What is made of the kinds that come with kro-ls: warn, strict, or off; with GROUP= of an API group, or "
        "of a pattern such as '*.azure.com'. May be repeated.",
    ),
    click.option(
        "--kubernetes-version",
        metavar="MINOR",
        help="The Kubernetes version of the built-in kinds, such as 1.36; the newest one by default.",
    ),
    click.option(
        "versions",
        "--kro-version",
        type=VersionsType(),
        default=(),
        help="The version of kro that you run; for several, a table shows which ones accept what. "
        f"Without it a .kro-ls.yaml decides, else {NEWEST}.",
    ),
)
"""Give a command these options."""
