"""Records Go's answers in tests/golang/recorded: `python -m tests.golang.record`."""

import json
import tempfile
from pathlib import Path

from tests.golang.go import ask, built
from tests.golang.random_texts import FUNCTIONS, questions

_COUNTS = {"regexp": 2000}


def main() -> None:
    """Ask Go and write a line `[arguments, answer]` for each question."""
    folder = Path(__file__).parent / "recorded"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        oracle = built(Path(temporary))
        for function in FUNCTIONS:
            asked = list(questions(function, seed=1, count=_COUNTS.get(function, 500)))
            answers = zip(asked, ask(oracle, function, asked), strict=True)
            lines = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in answers]
            (folder / f"{function}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
