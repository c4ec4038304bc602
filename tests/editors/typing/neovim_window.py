"""Types into Neovim with real keys, over its remote interface, and reads its screen."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tests.editors.typing.person import Person, Screen
from tests.editors.typing.snippets import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.editors.typing.person import Record

SECONDS = 60
_NAMED = {
    "Enter": "<CR>",
    "Tab": "<Tab>",
    "Backspace": "<BS>",
    "Delete": "<Del>",
    "Escape": "<C-e>",
    "Down": "<Down>",
    "Up": "<Up>",
    "Right": "<Right>",
    "End": "<End>",
    "Undo": "<C-o>u",
    "<": "<LT>",
}
_IN_SELECTION = {"Right": "<Esc>a", "Delete": "<BS>", "Enter": "<Esc>a<CR>"}
_SCREEN = """
local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
local row, column = unpack(vim.api.nvim_win_get_cursor(0))
local popup = vim.fn.complete_info({"pum_visible", "items", "selected"})
local labels, selected = {}, -1
if popup.pum_visible == 1 then
  labels = vim.tbl_map(function(each) return each.abbr ~= "" and each.abbr or each.word end, popup.items)
  selected = popup.selected
end
local errors = vim.tbl_map(function(each)
  -- It may be of the text before the last key.
  local there, text = pcall(vim.api.nvim_buf_get_text, 0, each.lnum, each.col, each.end_lnum, each.end_col, {})
  return each.code .. " " .. (each.lnum + 1) .. " " .. (there and table.concat(text, "\\n") or "")
end, vim.diagnostic.get(0, {severity = vim.diagnostic.severity.ERROR}))
local mode = vim.api.nvim_get_mode().mode
local other = vim.fn.getpos("v")
return {
  lines = lines, row = row, column = column, labels = labels, selected = selected, errors = errors, mode = mode,
  other = {other[2], other[3]},
}
"""
_ITEM = """
local label = ...
for _, each in ipairs(vim.fn.complete_info({"items"}).items) do
  if (each.abbr ~= "" and each.abbr or each.word) == label then
    local item = vim.tbl_get(each, "user_data", "nvim", "lsp", "completion_item") or {}
    local start = vim.fn.complete_info({"mode"}) and vim.tbl_get(item, "textEdit", "range", "start", "character")
    return {
      text = vim.tbl_get(item, "textEdit", "newText") or item.insertText or item.label or each.word,
      snippet = item.insertTextFormat == 2, start = start or -1,
    }
  end
end
"""


_IS_WAITING = """
for _, request in pairs(vim.lsp.get_clients({bufnr = 0})[1].requests) do
  if request.type == "pending" and request.method == "textDocument/completion" then
    return true
  end
end
return false
"""


class NeovimWindow:
    """The window of a Neovim that is talked to over a socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._last = 0
        self._received = b""
        self._errors: frozenset[str] = frozenset()
        self._line_start = 0

    def wait_for_server(self) -> None:
        """Wait until the language server is there."""
        deadline = time.monotonic() + SECONDS
        while not self.lua("return #vim.lsp.get_clients({bufnr = 0})"):
            assert time.monotonic() < deadline, "the server was not started"
            time.sleep(0.05)

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a function of Neovim's interface; return what it returns."""
        self._last += 1
        self._connection.sendall(msgspec.msgpack.encode([0, self._last, method, arguments]))
        while True:
            self._received += self._connection.recv(1 << 16)
            try:
                kind, number, error, result = msgspec.msgpack.decode(self._received)
            except msgspec.DecodeError:
                continue  # the rest is still to come
            self._received = b""
            assert (kind, number, error) == (1, self._last, None), error
            return result

    def lua(self, code: str, *arguments: Any) -> Any:
        """Run Lua; return what it returns."""
        return self.call("nvim_exec_lua", code, arguments)

    def press(self, key: str) -> None:
        """See `Editor`."""
        is_selected = self.call("nvim_get_mode")["mode"] == "s"
        keys = _IN_SELECTION.get(key) if is_selected else None
        self.call("nvim_input", keys or _NAMED.get(key, key))

    def screen(self) -> Screen:
        """See `Editor`."""
        seen = self.lua(_SCREEN)
        self._errors = frozenset(seen["errors"])
        text = "\n".join(seen["lines"])
        start = end = _offset(seen["lines"], seen["row"], seen["column"])
        if seen["mode"] in ("s", "v"):
            other = _offset(seen["lines"], seen["other"][0], seen["other"][1] - 1)
            start, end = min(start, other), max(start, other) + 1
        return Screen(text, start, end, tuple(seen["labels"]), seen["selected"])

    def proposal(self, label: str) -> Proposal | None:
        """See `Editor`."""
        found = self.lua(_ITEM, label)
        if not found:
            return None
        seen = self.lua(_SCREEN)
        line_start = _offset(seen["lines"], seen["row"], 0)
        start = found["start"] if found["start"] >= 0 else self.lua("return vim.fn.complete_info({'mode'}) and 0")
        return Proposal(found["text"], line_start + start, found["snippet"])

    def errors(self) -> frozenset[str]:
        """See `Editor`."""
        return self._errors

    def is_waiting(self) -> bool:
        """See `Editor`."""
        return bool(self.lua(_IS_WAITING))


def _offset(lines: list[str], row: int, column: int) -> int:
    """Return the offset in characters of a row, counted from 1, and a column in bytes."""
    line = lines[row - 1].encode()[:column].decode(errors="ignore") if row <= len(lines) else ""
    return sum(len(each) + 1 for each in lines[: row - 1]) + len(line)


def _connected(address: Path, process: subprocess.Popen[bytes]) -> socket.socket:
    """Return a connection to a Neovim: its socket is there a moment before it listens."""
    deadline = time.monotonic() + SECONDS
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(address))
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        else:
            return connection


@contextmanager
def neovim(nvim: str, settings: Path, file: Path, environment: dict[str, str]) -> Iterator[NeovimWindow]:
    """Start a Neovim in insert mode in an empty file."""
    # The name of a socket has at most a hundred characters.
    sockets = tempfile.mkdtemp(prefix="neovim")
    address = Path(sockets) / "socket"
    process = subprocess.Popen(
        [nvim, "--headless", "-u", str(settings), "--listen", str(address), str(file)],
        cwd=file.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with _connected(address, process) as connection:
            connection.settimeout(SECONDS)
            window = NeovimWindow(connection)
            window.press("i")
            yield window
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(sockets)


def typed_in_neovim(
    nvim: str, settings: Path, folder: Path, environment: dict[str, str], text: str, keys_per_second: float
) -> Record:
    """Type a text into a new Neovim, whose home is a new folder; return what happened."""
    (folder / ".git").mkdir(parents=True)
    (folder / "home").mkdir()
    file = folder / "definition.yaml"
    file.write_text("", encoding="utf-8")
    with neovim(nvim, settings, file, environment | {"HOME": str(folder / "home")}) as window:
        window.wait_for_server()
        return Person(window, text, keys_per_second).type_all()
