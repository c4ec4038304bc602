"""Types into VS Code with real keys, and reads its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.editors.typing.person import Screen
from tests.editors.typing.snippets import Proposal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.editors.vscode import VSCode

_NAMED = {
    "Enter": ("Enter", 13),
    "Tab": ("Tab", 9),
    "Backspace": ("Backspace", 8),
    "Delete": ("Delete", 46),
    "Escape": ("Escape", 27),
    "Down": ("ArrowDown", 40),
    "Up": ("ArrowUp", 38),
    "Right": ("ArrowRight", 39),
    "End": ("End", 35),
    " ": (" ", 32),
}
_POPUP = """
(() => {
  const widget = document.querySelector('.suggest-widget.visible');
  if (!widget || widget.classList.contains('message')) return null;
  const rows = [...widget.querySelectorAll('.monaco-list-row')]
    .sort((one, other) => one.dataset.index - other.dataset.index);
  const first = rows.length ? Number(rows[0].dataset.index) : 0;
  return {
    labels: rows.map((row) => row.querySelector('.label-name')?.textContent ?? ''),
    focused: rows.findIndex((row) => row.classList.contains('focused')),
  };
})()
"""
_SCREEN = """
// What the window did before it answers, extensions have heard of by then: also the last key.
await vscode.commands.executeCommand('setContext', 'kro.seen', true);
const {document, selection} = vscode.window.activeTextEditor;
return {
  text: document.getText(),
  start: document.offsetAt(selection.start),
  end: document.offsetAt(selection.end),
  errors: vscode.languages.getDiagnostics(document.uri).filter((each) => each.severity === 0)
    .map((each) => `${each.code?.value ?? each.code} ${each.range.start.line + 1} ${document.getText(each.range)}`),
};
"""
_PROPOSALS = """
const {document, selection} = vscode.window.activeTextEditor;
const found = await vscode.commands.executeCommand(
  'vscode.executeCompletionItemProvider', document.uri, selection.active);
return found.items.map((each) => ({
  label: each.label.label ?? each.label,
  text: each.insertText?.value ?? each.insertText ?? each.label.label ?? each.label,
  isSnippet: typeof each.insertText === 'object',
  start: document.offsetAt((each.range?.replacing ?? each.range ?? selection).start),
}));
"""


class VSCodeWindow:
    """The active editor of a VS Code."""

    def __init__(self, code: VSCode) -> None:
        self._code = code
        self._errors: frozenset[str] = frozenset()
        self._proposals: dict[str, Proposal] = {}
        self._place: tuple[str, int] | None = None

    def new_file(self, path: Path) -> None:
        """Open an empty file, and put the keyboard's focus there."""
        path.write_text("", encoding="utf-8")
        self._code.open(path)
        self._code.run("await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');")
        self._code.wait_for_keys()

    def press(self, key: str) -> None:
        """See `Editor`."""
        if key == "Undo":
            self._code.browser.press("z", 90, modifiers=2)
            return
        event: dict[str, Any] = {"key": key, "text": key}
        if key in _NAMED:
            name, number = _NAMED[key]
            event = {"key": name, "code": "Space" if key == " " else name, "windowsVirtualKeyCode": number}
            event |= {"text": "\r" if key == "Enter" else key} if key in ("Enter", " ") else {}
        elif key.isascii() and key.isalnum():
            code = f"Digit{key}" if key.isdigit() else f"Key{key.upper()}"
            event |= {"code": code, "windowsVirtualKeyCode": ord(key.upper())}
        send = self._code.browser.send
        send("Input.dispatchKeyEvent", type="keyDown" if "text" in event else "rawKeyDown", **event)
        event.pop("text", None)
        send("Input.dispatchKeyEvent", type="keyUp", **event)

    def screen(self) -> Screen:
        """See `Editor`."""
        seen = self._code.run(_SCREEN)
        popup = self._code.browser.evaluate(_POPUP) or {"labels": [], "focused": -1}
        self._errors = frozenset(seen["errors"])
        return Screen(
            seen["text"].replace("\r\n", "\n"), seen["start"], seen["end"], tuple(popup["labels"]), popup["focused"]
        )

    def proposal(self, label: str) -> Proposal | None:
        """See `Editor`."""
        seen = self._code.run(_SCREEN)
        place = (seen["text"], seen["start"])
        if place != self._place:
            self._place, self._proposals = place, {}
            for each in self._code.run(_PROPOSALS):
                found = Proposal(each["text"], each["start"], each["isSnippet"])
                self._proposals.setdefault(each["label"], found)
        return self._proposals.get(label)

    def errors(self) -> frozenset[str]:
        """See `Editor`."""
        return self._errors

    def is_waiting(self) -> bool:
        """See `Editor`. VS Code takes a list back while it asks for another one."""
        return False
