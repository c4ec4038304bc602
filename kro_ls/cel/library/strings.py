"""The functions on strings that cel-go adds (`ext/strings.go`), and the search with patterns that Kubernetes adds.

Source of the latter: apiserver `pkg/cel/library/regex.go`; the syntax is RE2. Indices count code points from 0.
"""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, Library, function

_OUT_OF_RANGE = "An index below 0 or after the end fails with `index out of range: <index>`."
_ILLEGAL = "A pattern that is not a regular expression: a literal one is refused before anything runs, another fails."

FUNCTIONS = (
    function(
        "charAt",
        Documentation(
            "The character at an index, as a string. The index right after the last character gives an empty string.",
            "'tea'.charAt(1) == 'e'",
            _OUT_OF_RANGE,
        ),
        {"string_char_at_int": "string.(index: int) -> string"},
    ),
    function(
        "indexOf",
        Documentation(
            "The index of the first occurrence of `text`, from `offset` on if given, or -1.",
            "'tea time'.indexOf('t', 1) == 4",
            "A negative offset fails with `index out of range: <index>`.",
        ),
        {
            "string_index_of_string": "string.(text: string) -> int",
            "string_index_of_string_int": "string.(text: string, offset: int) -> int",
        },
    ),
    function(
        "lastIndexOf",
        Documentation(
            "The index of the last occurrence of `text`, at or before `offset` if given, or -1.",
            "'tea time'.lastIndexOf('t') == 4",
            "A negative offset fails with `index out of range: <index>`.",
        ),
        {
            "string_last_index_of_string": "string.(text: string) -> int",
            "string_last_index_of_string_int": "string.(text: string, offset: int) -> int",
        },
    ),
    function(
        "lowerAscii",
        Documentation("The string with the letters A to Z made lower case.", "'TEA'.lowerAscii() == 'tea'"),
        {"string_lower_ascii": "string.() -> string"},
    ),
    function(
        "replace",
        Documentation(
            "Replaces occurrences of one string by another: all of them, or the first `limit` (all when negative).",
            "'a.b.c'.replace('.', '-', 1) == 'a-b.c'",
        ),
        {
            "string_replace_string_string": "string.(old: string, new: string) -> string",
            "string_replace_string_string_int": "string.(old: string, new: string, limit: int) -> string",
        },
    ),
    function(
        "split",
        Documentation(
            "Cuts the string at every separator, into at most `limit` parts if given (all when negative). An empty "
            "separator gives the single characters.",
            "'a,b,c'.split(',') == ['a', 'b', 'c']",
        ),
        {
            "string_split_string": "string.(separator: string) -> list(string)",
            "string_split_string_int": "string.(separator: string, limit: int) -> list(string)",
        },
    ),
    function(
        "substring",
        Documentation(
            "The part of the string from `start` up to, not including, `end` (or its end).",
            "'kubernetes'.substring(0, 4) == 'kube'",
            f"{_OUT_OF_RANGE} A `start` after `end` fails with `invalid substring range`.",
        ),
        {
            "string_substring_int": "string.(start: int) -> string",
            "string_substring_int_int": "string.(start: int, end: int) -> string",
        },
    ),
    function(
        "trim",
        Documentation("The string without white space at both ends.", "'  tea '.trim() == 'tea'"),
        {"string_trim": "string.() -> string"},
    ),
    function(
        "upperAscii",
        Documentation("The string with the letters a to z made upper case.", "'tea'.upperAscii() == 'TEA'"),
        {"string_upper_ascii": "string.() -> string"},
    ),
    function(
        "format",
        Documentation(
            "Fills the clauses of the string with the values of the list in order: `%s` any value, `%d` a number, `%f` "
            "and `%e` a double (`%.2f` with precision), `%b` binary, `%x` and `%X` hexadecimal, `%o` octal, `%%` a "
            "percent sign. Literal clauses and values are checked beforehand.",
            "'%s-%d'.format(['web', 3]) == 'web-3'",
            "A clause without a value, or with a value it cannot print, fails.",
        ),
        {"string_format": "string.(values: list(dyn)) -> string"},
    ),
    function(
        "strings.quote",
        Documentation("The string in double quotes, with special characters escaped.", "strings.quote('a') == '\"a\"'"),
        {"strings_quote": "(text: string) -> string"},
    ),
    function(
        "join",
        Documentation(
            "The strings of a list one after another, with the separator between them.",
            "['a', 'b'].join('-') == 'a-b'",
            "An element that is not a string fails with `join: invalid input: <value>`.",
        ),
        {"list_join": "list(string).() -> string", "list_join_string": "list(string).(separator: string) -> string"},
    ),
    function(
        "reverse",
        Documentation("The characters in opposite order.", "'tea'.reverse() == 'aet'"),
        {"string_reverse": "string.() -> string"},
    ),
)

_REGEX_FUNCTIONS = (
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
REGEX = Library(__name__, _REGEX_FUNCTIONS)
