"""The log of the server: names of a stranger's files cannot make it look as if something else had been logged."""

from __future__ import annotations

import logging

from kro_ls.server.main import PrintableFormatter


def test_a_message_stays_on_its_line_and_commands_no_terminal() -> None:
    formatter = PrintableFormatter("%(levelname)s: %(message)s")
    record = logging.makeLogRecord({"levelname": "INFO", "msg": "read %s", "args": ("a\nERROR: b\x1b[2J",)})
    assert formatter.format(record) == r"INFO: read a\nERROR: b\x1b[2J"


def test_a_traceback_keeps_its_lines() -> None:
    formatter = PrintableFormatter("%(message)s")
    try:
        raise ValueError("\x1b[2J")
    except ValueError as error:
        record = logging.makeLogRecord({"msg": "failed", "exc_info": (type(error), error, error.__traceback__)})
    lines = formatter.format(record).split("\n")
    assert (lines[0], lines[1], lines[-1]) == ("failed", "Traceback (most recent call last):", r"ValueError: \x1b[2J")
