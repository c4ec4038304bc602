"""Searching with regular expressions (apiserver `pkg/cel/library/regex.go`). The syntax is RE2."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, Library, function

_ILLEGAL = "A pattern that is not a regular expression: a literal one is refused before anything runs, another fails."

FUNCTIONS = (
    function(
        "find",
        Documentation(
            "The first part of the string that the pattern matches, empty when there is none.",
            "'abc 123'.find('[0-9]+') == '123'",
            _ILLEGAL,
        ),
        {"string_find_string": "string.(pattern: string) -> string"},
    ),
    function(
        "findAll",
        Documentation(
            "All parts of the string that the pattern matches, at most `limit` if given (all when negative).",
            "'123 abc 456'.findAll('[0-9]+') == ['123', '456']",
            _ILLEGAL,
        ),
        {
            "string_find_all_string": "string.(pattern: string) -> list(string)",
            "string_find_all_string_int": "string.(pattern: string, limit: int) -> list(string)",
        },
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
