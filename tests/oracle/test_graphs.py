"""What kro before 0.10 makes of Graphs is what kro-ls makes of them: accepted or not, and the order."""

from __future__ import annotations

from kro_ls.analysis.analysis import analyze
from kro_ls.yaml_positions.text import Text
from tests.oracle.oracle import ask
from tests.oracle.test_oracle import needs_go
from tests.rules.graphs import ACCEPTED, REFUSED, graph

_VERSION = "0.10.dev"


@needs_go
def test_kro_agrees_about_graphs() -> None:
    texts = {name: graph(nodes) for name, nodes in (*ACCEPTED.items(), *REFUSED.items())}
    answers = dict(zip(texts, ask(_VERSION, [{"graph": text} for text in texts.values()]), strict=True))
    assert {name: answer.get("errors") for name, answer in answers.items() if answer["accepted"]} == dict.fromkeys(
        ACCEPTED
    )
    for name in ACCEPTED:
        assert tuple(answers[name]["topologicalOrder"]) == analyze(Text(texts[name])).rgds[0].graph.order, name
