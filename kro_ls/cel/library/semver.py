"""Semantic versions (apiserver `pkg/cel/library/semverlib.go`, version 0: no normalising forms)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, Library, function


def _number(name: str, value: int) -> FunctionDeclaration:
    return function(
        name,
        Documentation(f"The {name} number of the version.", f"semver('1.2.3').{name}() == {value}"),
        {f"semver_{name}": "kubernetes.Semver.() -> int"},
    )


FUNCTIONS = (
    function(
        "semver",
        Documentation(
            "Reads a semantic version, strictly: three numbers, no leading `v`.",
            "semver('1.2.3').isLessThan(semver('1.10.0'))",
            "Another text fails, for instance with `No Major.Minor.Patch elements found`; test with `isSemver` first.",
        ),
        {"string_to_semver": "(text: string) -> kubernetes.Semver"},
    ),
    function(
        "isSemver",
        Documentation("True when the string is a semantic version.", "isSemver('1.2.3-rc.1') && !isSemver('v1.2')"),
        {"is_semver_string": "(text: string) -> bool"},
    ),
    function(
        "isGreaterThan",
        Documentation(
            "True when the version comes after the other.", "semver('1.10.0').isGreaterThan(semver('1.9.0'))"
        ),
        {"semver_is_greater_than": "kubernetes.Semver.(other: kubernetes.Semver) -> bool"},
    ),
    function(
        "isLessThan",
        Documentation(
            "True when the version comes before the other.", "semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))"
        ),
        {"semver_is_less_than": "kubernetes.Semver.(other: kubernetes.Semver) -> bool"},
    ),
    function(
        "compareTo",
        Documentation(
            "-1, 0 or 1 when the version comes before, equals or comes after the other; build metadata does not count.",
            "semver('1.0.0+a').compareTo(semver('1.0.0+b')) == 0",
        ),
        {"semver_compare_to": "kubernetes.Semver.(other: kubernetes.Semver) -> int"},
    ),
    _number("major", 1),
    _number("minor", 2),
    _number("patch", 3),
)

LIBRARY = Library(__name__, FUNCTIONS)
