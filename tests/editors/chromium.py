"""Drives a Chromium without a screen over its debugging protocol, for what a person does and sees."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from websockets.sync.client import connect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from websockets.sync.client import ClientConnection

SECONDS = 120
"""How long to wait for what should come: a busy machine takes long, and what came is not waited for."""

_PLACE_OF = """text => {
  const plain = (node) => node.textContent.replaceAll("\\u00a0", " ");
  const line = [...document.querySelectorAll(".view-lines .view-line")].find((each) => plain(each).includes(text));
  if (!line) return null;
  let at = plain(line).indexOf(text) + text.length - 1;
  const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (at < node.data.length) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const {x, y, width, height} = range.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }
    at -= node.data.length;
  }
  return null;
}"""


class Browser:
    """A page of a Chromium without a screen."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._last = 0
        self.send("Page.enable")
        self.send("Runtime.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command of the DevTools protocol; return its result."""
        self._last += 1
        self._connection.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            message = json.loads(self._connection.recv(timeout=SECONDS))
            if message.get("id") == self._last:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, expression: str, what: str, seconds: float = SECONDS) -> Any:
        """Return the value of an expression as soon as it is true."""
        deadline = time.monotonic() + seconds
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < deadline, f"waited in vain for {what}"
            time.sleep(0.05)
        return value

    def type(self, text: str) -> None:
        """Type a text, key by key."""
        for character in text:
            self.send("Input.dispatchKeyEvent", type="char", text=character)

    def place_of(self, text: str) -> tuple[float, float]:
        """Return where the last character of a text is shown in an editor."""
        x, y = self.wait(f"({_PLACE_OF})({json.dumps(text)})", f"{text!r} on the screen")
        return x, y

    def press(self, key: str, code: int, modifiers: int = 0) -> None:
        """Press and release a named key, such as `Escape` with its code 27."""
        for kind in ("rawKeyDown", "keyUp"):
            event = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
            self.send("Input.dispatchKeyEvent", **event)

    def point(self, x: float, y: float, *, click: bool = False, button: str = "left") -> None:
        """Move the mouse there, and click with a button if wanted."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        if click:
            for kind in ("mousePressed", "mouseReleased"):
                self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    options = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
        --disable-component-update --disable-sync --hide-scrollbars --force-device-scale-factor=1
        --window-size=1280,800 --remote-debugging-port=0""".split()
    process = subprocess.Popen(
        ["chromium", *options, f"--user-data-dir={profile}", "about:blank"],
        env={**os.environ, "HOME": str(profile.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr
        for line in process.stderr:
            if found := re.search(r"ws://127\.0\.0\.1:(\d+)/", line):
                break
        else:
            raise AssertionError("chromium did not start")
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/json/list", timeout=SECONDS) as response:
            page = next(each for each in json.load(response) if each["type"] == "page")
        with connect(page["webSocketDebuggerUrl"], max_size=None, ping_interval=None) as connection:
            yield Browser(connection)
    finally:
        process.terminate()
        process.communicate(timeout=SECONDS)
