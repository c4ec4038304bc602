"""Timestamps and durations: their conversions and the parts of a point in time (cel-go's standard library)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, Library, function

_ZONE = (
    "In UTC unless a time zone is given, by name (`Europe/Berlin`) or as an offset (`+02:00`).",
    "`unknown time zone <zone>` or an offset out of range.",
)


def _part(name: str, id_: str, text: str, value: int, zone_suffix: str = "_with_tz") -> FunctionDeclaration:
    return function(name, *_zoned(name, id_, text, value, zone_suffix))


def _zoned(
    name: str, id_: str, text: str, value: int, zone_suffix: str = "_with_tz"
) -> tuple[Documentation, dict[str, str]]:
    example = f"timestamp('2024-03-05T10:20:30.400Z').{name}() == {value}"
    return Documentation(f"{text} {_ZONE[0]}", example, _ZONE[1]), {
        f"timestamp_to_{id_}": "timestamp.() -> int",
        f"timestamp_to_{id_}{zone_suffix}": "timestamp.(zone: string) -> int",
    }


def _part_or_total(
    name: str, id_: str, text: str, value: int, total: str, zone_suffix: str = "_with_tz"
) -> FunctionDeclaration:
    documentation, overloads = _zoned(name, id_, f"{text} Of a duration: {total}.", value, zone_suffix)
    return function(name, documentation, {**overloads, f"duration_to_{id_}": "duration.() -> int"})


FUNCTIONS = (
    function(
        "duration",
        Documentation(
            "Reads a duration: numbers with the units h, m, s, ms, us, ns, such as `1h30m` or `-1.5s`. There is no "
            "unit for days.",
            "duration('90m') == duration('1h30m')",
            "Another text fails with a type conversion error.",
        ),
        {
            "duration_to_duration": "(value: duration) -> duration",
            "string_to_duration": "(value: string) -> duration",
        },
    ),
    function(
        "timestamp",
        Documentation(
            "Reads a point in time from RFC 3339 text (`2024-01-02T03:04:05Z`), or from seconds since 1970.",
            "timestamp(0) == timestamp('1970-01-01T00:00:00Z')",
            "Another text fails with `invalid RFC 3339 timestamp`, a year outside of 1 to 9999 with `timestamp "
            "overflow`.",
        ),
        {
            "timestamp_to_timestamp": "(value: timestamp) -> timestamp",
            "int64_to_timestamp": "(value: int) -> timestamp",
            "string_to_timestamp": "(value: string) -> timestamp",
        },
    ),
    _part("getFullYear", "year", "The year.", 2024),
    _part("getMonth", "month", "The month, January is 0.", 2),
    _part("getDayOfYear", "day_of_year", "The day of the year, from 0.", 64),
    _part("getDayOfMonth", "day_of_month", "The day of the month, from 0.", 4),
    _part("getDate", "day_of_month_1_based", "The day of the month, from 1.", 5),
    _part("getDayOfWeek", "day_of_week", "The day of the week, Sunday is 0.", 2),
    _part_or_total("getHours", "hours", "The hour, 0 to 23.", 10, "all of it in whole hours"),
    _part_or_total("getMinutes", "minutes", "The minute, 0 to 59.", 20, "all of it in whole minutes"),
    _part_or_total("getSeconds", "seconds", "The second, 0 to 59.", 30, "all of it in whole seconds", "_tz"),
    _part_or_total(
        "getMilliseconds",
        "milliseconds",
        "The milliseconds within the second.",
        400,
        "all of it in whole milliseconds",
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
