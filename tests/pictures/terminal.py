"""A terminal to be looked at: a program on a pseudo terminal, drawn by xterm.js in the browser."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import struct
import subprocess
import termios
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.editors.vscode import CODE_SERVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.editors.chromium import Browser

XTERM = CODE_SERVER.parents[2] / "lib/vscode/node_modules/@xterm/xterm"
SECONDS = 120
COLOURS = {
    "background": "#1e1e1e",
    "foreground": "#d4d4d4",
    "cursor": "#d4d4d4",
    "black": "#1e1e1e",
    "red": "#f48771",
    "green": "#89d185",
    "yellow": "#e5c07b",
    "blue": "#75beff",
    "magenta": "#d7a8ff",
    "cyan": "#56c8d8",
    "white": "#d4d4d4",
    "brightBlack": "#8a8a8a",
    "brightRed": "#ff9580",
    "brightGreen": "#a5e6a1",
    "brightYellow": "#f5d795",
    "brightBlue": "#95d0ff",
    "brightMagenta": "#e5c3ff",
    "brightCyan": "#7fe0ed",
    "brightWhite": "#ffffff",
}
_PAGE = """
document.body.innerHTML = '<div id="terminal"></div>';
document.body.style.cssText = 'margin: 0; background: #1e1e1e';
const box = document.getElementById('terminal');
box.style.cssText = 'display: inline-block; padding: 14px 18px';
const term = new Terminal({
  ...options, fontSize: 14, lineHeight: 1.1, fontFamily: 'DejaVu Sans Mono, monospace',
  cursorInactiveStyle: 'block', scrollback: 0,
});
term.open(box);
window.replies = [];
term.onData((text) => replies.push(text));
const bytesOf = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
window.feed = (text) => new Promise((done) => term.write(bytesOf(text), () => done(1)));
const line = (at) => term.buffer.active.getLine(at)?.translateToString(true) ?? '';
window.lines = () => Array.from({length: term.rows}, (_, at) => line(at));
"""


class Terminal:
    """A program and its screen."""

    def __init__(self, browser: Browser, device: int) -> None:
        self._browser = browser
        self._device = device

    def type(self, text: str) -> None:
        """Type a text, key by key; `\\r` is Enter and `\\x1b` is Escape."""
        for key in text:
            os.write(self._device, key.encode())
            self._pass_on(0.02)

    def wait(self, text: str) -> None:
        """Wait until a text is on the screen, and the program has been quiet for a while."""
        deadline = time.monotonic() + SECONDS
        while self._pass_on(0.3) or text not in self.screen():
            assert time.monotonic() < deadline, f"waited in vain for {text!r}:\n{self.screen()}"

    def repeat(self, keys: str, text: str) -> None:
        """Type some keys again and again until a text is on the screen."""
        deadline = time.monotonic() + SECONDS
        while text not in self.screen():
            assert time.monotonic() < deadline, f"waited in vain for {text!r}:\n{self.screen()}"
            self.type(keys)
            while self._pass_on(1):
                continue

    def screen(self) -> str:
        """Return the lines on the screen."""
        lines: list[str] = self._browser.evaluate("lines()")
        return "\n".join(lines)

    def clip(self) -> dict[str, float]:
        """Return the place of the terminal in the page, down to the last line with a text."""
        box = "document.getElementById('terminal').getBoundingClientRect()"
        x, y, width, height = self._browser.evaluate(f"(({{x, y, width, height}}) => [x, y, width, height])({box})")
        lines = self.screen().split("\n")
        unused = len(lines) - len(self.screen().rstrip().split("\n"))
        line = self._browser.evaluate("document.querySelector('.xterm-rows').firstChild.offsetHeight")
        return {"x": x, "y": y, "width": width, "height": height - unused * line}

    def _pass_on(self, seconds: float) -> bool:
        """Pass on what the program writes within some time, and what the terminal answers; return whether it wrote."""
        written = b""
        while select.select([self._device], [], [], seconds)[0]:
            try:
                part = os.read(self._device, 65536)
            except OSError:  # the program has ended
                break
            if not part:
                break
            written += part
            seconds = 0
        if written:
            self._browser.evaluate(f"feed({json.dumps(base64.b64encode(written).decode())})")
            for reply in self._browser.evaluate("replies.splice(0)"):
                os.write(self._device, reply.encode())
        return bool(written)


@contextmanager
def terminal(
    browser: Browser, command: list[str], folder: Path, environment: Mapping[str, str], *, columns: int, rows: int
) -> Iterator[Terminal]:
    """Run a program in a terminal of this size that the browser shows."""
    style = json.dumps((XTERM / "css/xterm.css").read_text(encoding="utf-8"))
    options = json.dumps({"cols": columns, "rows": rows, "theme": COLOURS})
    browser.send("Page.navigate", url="about:blank")
    browser.evaluate((XTERM / "lib/xterm.js").read_text(encoding="utf-8") + "; 1")
    browser.evaluate(
        f"document.head.append(Object.assign(document.createElement('style'), {{textContent: {style}}}));"
        f"{{ const options = {options}; {_PAGE} }}; 1"
    )
    device, inner = os.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        ["setsid", "--ctty", *command],
        cwd=folder,
        env={**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
        stdin=inner,
        stdout=inner,
        stderr=inner,
    )
    os.close(inner)
    try:
        yield Terminal(browser, device)
    finally:
        os.close(device)  # which hangs up: the program ends, and what it has started
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
