"""What is attacked: how an input is made, and what must hold of it. An input is a text, so that it can be kept."""

from __future__ import annotations

import asyncio
import io
import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kro_ls.kro.environment import parse
from kro_ls.kro.kinds import schema_index
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.parsing import forget_problems
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.openapi.sources.dump import DumpedKubernetes
from kro_ls.rules.crd_files import check_crds
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.settings import Settings
from kro_ls.runtime.testcases import read_test_file
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.reparse import Change, reparse
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.analysis.test_incremental import edited, forget_everything, outcome
from tests.fixtures.definitions import rgd
from tests.soak.damage import BUCKET, CRD, SWAGGER, TEST_FILE, an_edit, damaged, definitions
from tests.yaml_positions.dump import CUTS, dump_stream

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


class Subject(Struct, frozen=True):
    """`make` gives an input, `run` raises where something does not hold, and returns how much was tried.

    `share` is how many inputs there are for each one of the others.
    """

    make: Callable[[Random], str]
    run: Callable[[str], int]
    share: int = 1


def _make_edits(random: Random) -> str:
    text = random.choice(definitions())
    content, edits = text, []
    for _ in range(random.randint(1, 20)):
        start, end, new = an_edit(random, content)
        edits.append((start, end, new, random.random() < 0.8))
        content = content[:start] + new + content[end:]
    return json.dumps([text, edits])


def _run_edits(given: str) -> int:
    """An edited document says what the same text says when it is opened fresh."""
    text, edits = json.loads(given)
    document = Document("file:///a.yaml", 1, Text(text), PositionEncoding.UTF32)
    content = text
    for start, end, new, is_looked_at in edits:
        document = edited(document, start, end, new)
        content = content[:start] + new + content[end:]
        if is_looked_at:
            assert document.diagnosis is not None
    if document.text.content != content:
        return len(edits)  # an edit between the two characters of a line ending, which LSP moves
    found = outcome(document.diagnosis)
    forget_everything()
    assert outcome(diagnose_text(Text(content))) == found
    return len(edits)


def _run_reparsing(given: str) -> int:
    """A text that is parsed anew after an edit gives the tree of the whole text."""
    content, edits = json.loads(given)
    text = Text(content)
    stream = parse_stream(text, CUTS)
    for start, end, new, _ in edits:
        text = text.replace(start, end, new)
        stream = reparse(stream, text, Change(start, end, len(new)), CUTS)
        fresh = parse_stream(Text(text.content), CUTS)
        assert (dump_stream(fresh), fresh.comments()) == (dump_stream(stream), stream.comments())
    return len(edits)


def _run_yaml(text: str) -> int:
    """A damaged text is told about; nothing is raised, and every place is in the text."""
    diagnosis = diagnose_text(Text(text))
    for diagnostic in diagnosis.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
    return 1


_EXPRESSIONS = (
    "schema.spec.name + 'a' == \"b\" ? [1, 2u, 3.5] : {'a': b'\\x01', 'c': null}",
    "a.b.?c[?0].orValue(size(x)).map(i, i * 2 % 3 - -1).exists_one(j, j in [1, 2] || !has(j.k))",
    "[1, 2, 3].transformList(i, v, i + v).filter(x, x > 1 && x <= 0x1F).all(y, string(y).matches('^[a-z]+$'))",
    'quantity("1Gi").add(duration("1h2m")).compareTo(url("https://a/b")) != timestamp("2020-01-01T00:00:00Z")',
    "json.unmarshal(base64.encode(bytes('a'))).x.y['z'].startsWith(random.seededString(5, schema.metadata.uid))",
)


def _run_cel(text: str) -> int:
    """A damaged expression gives a tree, and a definition with it is told about."""
    assert parse(text).root is not None
    written = json.dumps("${" + text + "}")
    resource = f"- id: a\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {{name: {written}}}"
    return _run_yaml(rgd(resource))


def _run_crds(text: str) -> int:
    """With a damaged CRD a definition that uses it is still told about, and so is the CRD."""
    source = CrdSource((("/crd.yaml", text),), schema_index(kubernetes()).object_meta)
    diagnose_text(Text(BUCKET), Settings(), schema_index(kubernetes(), (source,)))
    check_crds(Text(text), Settings())
    forget_problems()
    return 1


def _run_swagger(text: str) -> int:
    """With a damaged description of a cluster a definition is still told about."""
    dumped = DumpedKubernetes((("/swagger.json", text),))
    diagnose_text(Text(BUCKET), Settings(), schema_index(dumped))
    return 1


def _make_swagger(random: Random) -> str:
    """Damage the values, for damaged JSON is not read at all."""
    if random.random() < 0.1:
        return damaged(random, SWAGGER)
    document = json.loads(SWAGGER)
    for _ in range(random.randint(1, 3)):
        _damage_value(random, document)
    return json.dumps(document)


_VALUES: tuple[Any, ...] = ("", "x", 5, -1, 1.5, None, True, [], {}, ["x"], [1], {"$ref": "#/definitions/x"}, {"a": 1})


def _damage_value(random: Random, value: Any) -> None:
    while True:
        places = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not places:
            return
        place = random.choice(places)
        if isinstance(value[place], dict | list) and value[place] and random.random() < 0.8:
            value = value[place]
            continue
        value[place] = deepcopy(random.choice(_VALUES))
        return


def _run_test_file(text: str) -> int:
    """What is wrong with a test file is told."""
    for document in parse_stream(Text(text)).documents:
        try:
            read_test_file(document.to_python())
        except ExcessiveAliasingError:
            continue
    return 1


def _make_frames(random: Random) -> str:
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {
            "method": "textDocument/didOpen",
            "params": {"textDocument": {"uri": "file:///a.yaml", "languageId": "yaml", "version": 1, "text": BUCKET}},
        },
    ]
    for number in range(random.randint(1, 6)):
        method = random.choice(("hover", "completion", "definition", "didChange", "didClose", "codeAction", "rename"))
        position = {"line": random.randint(-1, 50), "character": random.randint(-1, 90)}
        params: dict[str, Any] = {
            "textDocument": {"uri": "file:///a.yaml", "version": number},
            "position": position,
            "range": {"start": position, "end": position},
            "context": {"diagnostics": []},
            "newName": "b",
            "contentChanges": [{"range": {"start": position, "end": position}, "text": "x"}],
        }
        message = {"id": number + 2, "method": f"textDocument/{method}", "params": params}
        if random.random() < 0.5:
            _damage_value(random, message)
        messages.append(message)
    frames = ""
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message})
        body = damaged(random, body, 2) if random.random() < 0.2 else body
        frames += f"Content-Length: {len(body.encode('utf-8', 'surrogatepass'))}\r\n\r\n{body}"
    return damaged(random, frames, 2) if random.random() < 0.2 else frames


class _Answers:
    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        pass


def _run_frames(given: str) -> int:
    """After damaged messages the server still answers."""
    return asyncio.run(_talk(given))


async def _talk(given: str) -> int:
    from kro_ls.server.handlers import create_server
    from kro_ls.server.transport import FrameError, read_messages, settle

    server, answers, count = create_server(), _Answers(), 0
    server.protocol.set_writer(answers)
    try:
        for body in read_messages(io.BytesIO(given.encode("utf-8", "surrogatepass"))):
            server.protocol.receive(body)
            await settle()
            count += 1
    except (FrameError, SystemExit):
        return count + 1
    finally:
        server.schema_keeper.close()
        server.previews.close()
    server.protocol.receive(b'{"jsonrpc": "2.0", "id": "last", "method": "no/such"}')
    assert b'"id": "last"' in answers.written or server.protocol.was_shut_down
    return count + 1


def _run_preview(text: str) -> int:
    """A preview of a damaged definition comes to an end."""
    from kro_ls.features.previews.preview import make_preview
    from kro_ls.runtime.budget import PreviewBudget
    from kro_ls.workspace.instances import find_instance

    for rgd_analysis in diagnose_text(Text(text)).analysis.rgds:
        make_preview(rgd_analysis, find_instance(rgd_analysis, "file:///a.yaml", ()), PreviewBudget(100_000))
    return 1


SUBJECTS = {
    "edits": Subject(_make_edits, _run_edits, share=3),
    "reparsing": Subject(_make_edits, _run_reparsing),
    "yaml": Subject(lambda random: damaged(random, random.choice(definitions()), 40), _run_yaml),
    "cel": Subject(lambda random: damaged(random, random.choice(_EXPRESSIONS)), _run_cel, share=5),
    "crds": Subject(lambda random: damaged(random, CRD), _run_crds),
    "swagger": Subject(_make_swagger, _run_swagger, share=3),
    "tests": Subject(lambda random: damaged(random, TEST_FILE), _run_test_file, share=5),
    "frames": Subject(_make_frames, _run_frames),
    "previews": Subject(lambda random: damaged(random, random.choice(definitions())), _run_preview),
}
