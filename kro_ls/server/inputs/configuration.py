"""Reads the user's settings and reports faults in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.features.settings import InlayHintSettings
from kro_ls.kro.controller import FEATURE_GATES, unknown_gate
from kro_ls.kro.versions.version import NEWEST, Version, parse_version
from kro_ls.openapi.sources.pack.policy import CHOICES, PackPolicy
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.server.connection.client import SECTION
from kro_ls.workspace.schemas import SchemaSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SEVERITIES: Mapping[str, Severity | None] = {**{each.value: each for each in Severity}, "off": None}
_MODES = ("workspace", "openFilesOnly")


class UserSettings(Struct, frozen=True):
    """All settings of a user."""

    analysis: Settings
    names_version: bool
    """Whether the user sets the version of kro, which then overrides a `.kro-ls.yaml`."""
    schemas: SchemaSettings
    inlay_hints: InlayHintSettings
    compare_with: str = ""
    """The commit to compare definitions with, empty for none."""
    shows_closed_files: bool = True
    """Whether diagnostics of closed files are shown."""
    cluster: str = ""
    """The context of the kubeconfig whose kinds are pulled, empty for none."""


def read_settings(value: object, known_codes: Iterable[str]) -> tuple[UserSettings, list[str]]:
    """Return the settings that a client sent, and a sentence for each part that could not be used.

    `value` is the section `kro` or an object with it; missing settings have their defaults.
    """
    problems: list[str] = []
    section = _mapping(value, SECTION, problems)
    if SECTION in section:
        section = _mapping(section[SECTION], SECTION, problems)
    severities = tuple(_severities(section.get("severity"), frozenset(known_codes), problems))
    gates = frozenset(_feature_gates(section.get("featureGates"), problems))
    schemas = SchemaSettings(
        _text(section.get("kubernetesVersion"), "kro.kubernetesVersion", problems),
        tuple(_texts(section.get("crds"), "kro.crds", problems)),
        tuple(_texts(section.get("openapi"), "kro.openapi", problems)),
        PackPolicy.of(dict(_choices(section.get("kinds"), problems))),
    )
    hints = _mapping(section.get("inlayHints"), "kro.inlayHints", problems)
    inlay_hints = InlayHintSettings(
        status_types=_switch(hints.get("statusTypes"), "kro.inlayHints.statusTypes", problems),
        iterator_types=_switch(hints.get("iteratorTypes"), "kro.inlayHints.iteratorTypes", problems),
        values=_switch(hints.get("values"), "kro.inlayHints.values", problems, default=False),
    )
    version = _version(_text(section.get("version"), "kro.version", problems), problems)
    analysis = Settings(severities, gates, version or NEWEST)
    compare_with = _text(section.get("compareWith"), "kro.compareWith", problems) or ""
    mode = _text(section.get("diagnosticMode"), "kro.diagnosticMode", problems) or _MODES[0]
    if mode not in _MODES:
        problems.append(f"The setting 'kro.diagnosticMode' must be one of {', '.join(_MODES)}, not {mode!r}.")
    shows_closed_files = mode != _MODES[1]
    cluster = _text(section.get("cluster"), "kro.cluster", problems) or ""
    named = version is not None
    return UserSettings(analysis, named, schemas, inlay_hints, compare_with, shows_closed_files, cluster), problems


def _version(name: str | None, problems: list[str]) -> Version | None:
    try:
        return parse_version(name) if name else None
    except ValueError as error:
        problems.append(f"The setting 'kro.version' names an {error}.")
        return None


def _mapping(value: object, name: str, problems: list[str]) -> Mapping[str, object]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    problems.append(f"The setting '{name}' must be an object, not {value!r}.")
    return {}


def _severities(
    value: object, known_codes: frozenset[str], problems: list[str]
) -> Iterable[tuple[str, Severity | None]]:
    for code, severity in sorted(_mapping(value, "kro.severity", problems).items()):
        if code not in known_codes:
            problems.append(f"The setting 'kro.severity' names a rule that does not exist: '{code}'.")
        elif not isinstance(severity, str) or severity not in _SEVERITIES:
            allowed = ", ".join(_SEVERITIES)
            problems.append(f"The setting 'kro.severity.{code}' must be one of {allowed}, not {severity!r}.")
        else:
            yield code, _SEVERITIES[severity]


def _choices(value: object, problems: list[str]) -> Iterable[tuple[str, str]]:
    for group, choice in _mapping(value, "kro.kinds", problems).items():
        if choice in CHOICES:
            yield group, str(choice)
        else:
            allowed = ", ".join(CHOICES)
            problems.append(f"The setting 'kro.kinds' must give '{group}' one of {allowed}, not {choice!r}.")


def _feature_gates(value: object, problems: list[str]) -> Iterable[str]:
    if isinstance(value, list):
        value = {str(name): True for name in value}
    for name, enabled in _mapping(value, "kro.featureGates", problems).items():
        if not isinstance(enabled, bool):
            problems.append(f"The setting 'kro.featureGates.{name}' must be true or false, not {enabled!r}.")
        elif name not in FEATURE_GATES:
            problems.append(f"The setting 'kro.featureGates' names an {unknown_gate(name)}.")
        elif enabled:
            yield name


def _text(value: object, name: str, problems: list[str]) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    problems.append(f"The setting '{name}' must be a string, not {value!r}.")
    return None


def _texts(value: object, name: str, problems: list[str]) -> Iterable[str]:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return value
    if value is not None:
        problems.append(f"The setting '{name}' must be a list of strings, not {value!r}.")
    return ()


def _switch(value: object, name: str, problems: list[str], *, default: bool = True) -> bool:
    """Return a Boolean setting, or its default if it is none."""
    if isinstance(value, bool):
        return value
    if value is not None:
        problems.append(f"The setting '{name}' must be true or false, not {value!r}.")
    return default
