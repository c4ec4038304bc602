"""Writes values in the many ways that YAML has."""

from __future__ import annotations

import json
from random import Random
from typing import Any, TypeAlias

Json: TypeAlias = Any

_PLAIN_ODDITIES = {True: ("true", "True", "TRUE"), False: ("false", "False"), None: ("null", "~", "", "Null")}
_OLD_BOOLEANS = {True: ("yes", "on", "y", "On"), False: ("no", "off", "n")}


def yaml_text(random: Random, value: Json) -> str:
    """Return a YAML document of a value. Strange ways of writing it are rare in most texts and usual in some."""
    if random.random() < 0.04:
        return json.dumps(value, ensure_ascii=random.random() < 0.5, indent=random.choice([None, 2])) + "\n"
    writer = _Writer(random, random.choice([0.0, 0.0, 0.02, 0.02, 0.15]))
    writer.block(value, 0)
    text = "\n".join(writer.lines) + "\n"
    if random.random() < 0.1:
        text = random.choice(
            [f"---\n{text}", f"{text}...\n", f"# first\n\n{text}\n\n", text.replace("\n", "\r\n"), f"\ufeff{text}"]
        )
    return text


class _Writer:
    def __init__(self, random: Random, oddness: float) -> None:
        self._random, self._oddness = random, oddness
        self._anchors: list[tuple[str, Json]] = []
        self._step = random.choice([2, 2, 2, 4])
        self.lines: list[str] = []

    def _odd(self) -> bool:
        return self._random.random() < self._oddness

    def block(self, value: Json, indent: int) -> None:
        pad = " " * indent
        if isinstance(value, dict) and value:
            for key, inner in value.items():
                self._comment(pad)
                self._entry(inner, indent, f"{pad}{self._key(key)}:")
        elif isinstance(value, list) and value:
            for inner in value:
                self._comment(pad)
                self._entry(inner, indent, f"{pad}-")
        else:
            self.lines.append(pad + self._flow(value, indent))

    def _comment(self, pad: str) -> None:
        if self._odd():
            self.lines.append(self._random.choice(["", f"{pad}# c: ${{x", "   # off", " "]))

    def _key(self, key: str) -> str:
        if not key.replace("-", "").replace("_", "").isalnum() or key in ("null", "true", "y") or key[:1].isdigit():
            return json.dumps(key)
        if self._odd():
            return self._random.choice(
                [json.dumps(key), f"'{key}'", f"{key} ", f"!!str {key}", f"? {key}\n{' ' * 0}"][:4]
            )
        return key

    def _entry(self, value: Json, indent: int, head: str) -> None:
        random = self._random
        if isinstance(value, dict | list) and value and random.random() > 0.06:
            self._collection(value, indent, head)
        elif isinstance(value, str) and self._fits_block(value) and random.random() < 0.1:
            header = random.choice(["|-", ">-", "|-", ">-", "|2-" if self._step >= 2 else "|-"])
            if "\n" in value:
                header = "|-"
            deep = indent + 2
            self.lines.append(f"{head} {header}")
            self.lines += [f"{' ' * deep}{line}" if line else "" for line in value.split("\n")]
        else:
            tail = random.choice([" # c", "   "]) if self._odd() else ""
            self.lines.append(f"{head} {self._flow(value, indent)}{tail}")

    @staticmethod
    def _fits_block(value: str) -> bool:
        return bool(value) and value.strip() == value and "\r" not in value and value.isprintable()

    def _collection(self, value: Json, indent: int, head: str) -> None:
        random = self._random
        if self._odd() and self._anchors:
            name, kept = random.choice(self._anchors)
            if kept == value:
                self.lines.append(f"{head} *{name}")
                return
        if self._odd():
            name = f"a{len(self._anchors)}"
            self._anchors.append((name, value))
            head = f"{head} &{name}"
        if head.endswith("-") and isinstance(value, dict) and random.random() < 0.8:
            start = len(self.lines)
            self.block(value, indent + 2)
            first = next(
                (
                    n
                    for n in range(start, len(self.lines))
                    if self.lines[n].strip() and not self.lines[n].lstrip().startswith("#")
                ),
                start,
            )
            self.lines[first] = head + " " + self.lines[first][indent + 2 :]
            return
        self.lines.append(head)
        same = isinstance(value, list) and not head.endswith("-") and random.random() < 0.3
        self.block(value, indent if same else indent + self._step)

    def _flow(self, value: Json, indent: int) -> str:
        random = self._random
        if isinstance(value, dict | list):
            if self._odd() and value:
                return self._loose_flow(value, indent)
            return json.dumps(value, ensure_ascii=False)
        if isinstance(value, str):
            return self._text(value, indent)
        if isinstance(value, bool) or value is None:
            if self._odd():
                return random.choice(
                    _PLAIN_ODDITIES[value] + (_OLD_BOOLEANS.get(value, ()) if value is not None else ())
                )
            return json.dumps(value)
        if isinstance(value, int) and self._odd():
            return random.choice(
                [
                    hex(value),
                    f"{value}.0",
                    f"+{value}",
                    f"0o{value:o}",
                    f"0{value:o}",
                    f"!!int {value}",
                    f'"{value}"',
                    f"{value}e0",
                ]
            )
        return json.dumps(value)

    def _loose_flow(self, value: Json, indent: int) -> str:
        if isinstance(value, dict):
            inner = ", ".join(f"{json.dumps(key)}: {self._flow(each, indent)}" for key, each in value.items())
            return f"{{ {inner} , }}"
        return f"[ {', '.join(self._flow(each, indent) for each in value)},\n{' ' * (indent + 2)}]"

    def _text(self, value: str, indent: int) -> str:
        random = self._random
        if not value.isprintable():
            return json.dumps(value, ensure_ascii=random.random() < 0.5)
        if self._odd() and value:
            place = random.randrange(len(value))
            character = value[place]
            escaped = f"\\x{ord(character):02x}" if ord(character) < 256 else f"\\u{ord(character):04x}"
            odd = json.dumps(value[:place])[1:-1] + escaped + json.dumps(value[place + 1 :])[1:-1]
            return random.choice(
                [f'"{odd}"', f"!!str {json.dumps(value)}", json.dumps(value).replace(" ", f"\n{' ' * (indent + 2)}", 1)]
            )
        if random.random() < 0.3:
            return "'" + value.replace("'", "''") + "'"
        if random.random() < 0.5 and _can_be_plain(value):
            return value
        return json.dumps(value, ensure_ascii=False)


def _can_be_plain(value: str) -> bool:
    if not value or value[0] in " -?:,[]{}#&*!|>'\"%@`0123456789.+~=" or value.strip() != value:
        return False
    return not (": " in value or " #" in value or value.endswith(":")) and value.lower() not in (
        "null true false yes no on off y n".split()
    )
