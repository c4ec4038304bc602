"""Runs test files: each test simulates a cluster of its own."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.cli.definitions import read_definition
from kro_ls.cli.formats.text import file_place
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import STANDARD_INPUT, files_in, read_text
from kro_ls.cli.written import Written, documents_of, placed_message, read_documents
from kro_ls.render.changed_values import with_value
from kro_ls.rules.files import invalid_file
from kro_ls.runtime.cluster.scenario import InputProblem
from kro_ls.runtime.testing.testrun import UnusableTestError, read_test_file, run_test
from kro_ls.runtime.values.sample_instance import sample_instance
from kro_ls.workspace.check import check_tests
from kro_ls.workspace.file_schemas import TEST_ENDINGS
from kro_ls.workspace.files import UnreadableFileError, is_inside, named_inside
from kro_ls.workspace.files_of_tests import NamedFiles
from kro_ls.workspace.program_lines import program_of
from kro_ls.workspace.rewriting import UnwritableFileError, rewrite, write
from kro_ls.workspace.snapshot import file_snapshot
from kro_ls.workspace.test_snapshots import find_snapshot, snapshot_text
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.model.paths import Path as NodePath
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.testing.testrun import TestCase, TestFile, TestOutcome
    from kro_ls.yaml_positions.text import Text

_OUTSIDE: Final = "outside of {root}, where tests may read; name a wider folder with --root"


class TestResult(Struct, frozen=True):
    """The result of one test: its failures, none if it passed.

    `updated`: its snapshot was written; `changes` are the changed lines of the test file, as a unified diff
    without its header.
    """

    __test__ = False

    file: Path
    name: str
    messages: tuple[str, ...]
    updated: bool = False
    changes: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether the test's expectations were changed, in the test file or its snapshot."""
        return self.updated or bool(self.changes)


def find_test_files(paths: Iterable[Path]) -> list[Path]:
    """Return the named files, and in folders those that end in `.test.yaml` or `.test.yml`. Raises InputError."""
    found = []
    unreadable: list[UnreadableFileError] = []
    for path, named in files_in(paths, unreadable.append, with_links_out=True):
        if named or path.name.endswith(TEST_ENDINGS):
            found.append(path)
    if unreadable:
        raise InputError("\n".join(map(str, unreadable)), shown=True)
    return found


def root_of(path: Path, named: Iterable[Path]) -> Path:
    """Return the folder in which a test file may name files: the working folder, or the one that the user named."""
    absolute = Path(os.path.abspath(path))
    folders = (Path.cwd(), *(Path(os.path.abspath(each)) for each in named if each.is_dir()))
    return next((folder for folder in folders if absolute.is_relative_to(folder)), absolute.parent)


def run_file(path: Path, root: Path, *, update: bool) -> Iterator[TestResult]:
    """Run the tests of a file, which may name files in the folder `root`.

    `update` changes their expectations, in the file and in their snapshots, to the results.
    Raises InputError for a file that cannot be used, with all that is wrong in it.
    """
    text = read_text(path if path == STANDARD_INPUT else _confined(path, root))
    _require_faultless(path, text, root)
    updated = UpdatedFile(path, text.content, root) if update else None
    for written in documents_of(path, text):
        tests = read_test_file(written.value)
        if tests.problems:  # a comment silences them, or another tool's file has this name
            raise InputError("\n".join(written.message(each) for each in tests.problems), shown=True)
        runner = _Runner(path, root, written, tests, updated)
        yield from map(runner.run, tests.tests)


def _require_faultless(path: Path, text: Text, root: Path) -> None:
    """Raise InputError, with every fault and its place, for a file in which `kro-ls check` finds one.

    Refusals of an instance by the API server are not among them: the tests are about those.
    """
    faults = check_tests(file_snapshot(path, text).document, _named_files(root))
    found = [each for each in faults if each.code == invalid_file.RULE.code]
    if found:
        raise InputError("\n".join(placed_message(path, text, each.span, each.message) for each in found), shown=True)


def _named_files(root: Path) -> NamedFiles:
    return NamedFiles(
        (root,), _OUTSIDE.format(root=root), make=lambda name, text: file_snapshot(Path(name), text).document
    )


def _confined(path: Path, root: Path) -> Path:
    """Return a path that leads into the root. Raises InputError for any other, whether or not there is such a file.

    A test file may come from a stranger, and error messages show lines of the files that it names.
    """
    if not is_inside(path, (root,)):
        raise _outside(path, root)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(f"{path}: neither a file nor a folder")
    return path


def _outside(path: Path, root: Path) -> InputError:
    return InputError(f"{path}: {_OUTSIDE.format(root=root)}")


class _Runner:
    """Runs the tests of one document of a file, which share a definition."""

    def __init__(self, path: Path, root: Path, written: Written, tests: TestFile, update: UpdatedFile | None) -> None:
        self._path = path
        self._root = root
        self._written = written
        self._update = update
        schemas, problems = _named_files(root).files_of_test(str(path)).kinds(tests.crds)
        if problems:  # a comment silences them
            raise InputError("\n".join(f"{tests.crds[number]}: {each}" for number, each in problems.items()))
        kinds = [each.instance.get("kind") for each in tests.tests if isinstance(each.instance, dict)]
        self._definition = read_definition(
            self._named(tests.definition), schemas, kinds[0] if kinds else None, tests.feature_gates
        )
        self._rgd = self._definition.rgd

    def _named(self, name: str) -> Path:
        path = self._path.parent / name
        if named_inside(self._path.parent, name, self._root) is None:
            raise _outside(path, self._root)
        return _confined(path, self._root)

    def run(self, test: TestCase) -> TestResult:
        """Run one test, and update its snapshot and expectations if asked to."""
        given = list(self._instances(test))
        try:
            outcome = run_test(self._rgd, test, [instance for instance, _, _ in given])
        except UnusableTestError as error:
            raise InputError("\n".join(map(self._written.message, error.problems)), shown=True) from error
        changes = ""
        if self._update is not None and outcome.updated != test.expect:
            outcome, changes = self._updated(self._update, test, outcome, [instance for instance, _, _ in given])
        found = [self._written.message(each) + self._made_by(each) for each in outcome.problems]
        if outcome.problems and outcome.refusals:
            _, source, base = given[outcome.refused]
            found += [source.message(InputProblem((*base, *each.path), each.message)) for each in outcome.refusals]
        is_written = False
        snapshot = test.expect.get("snapshot")
        if snapshot is not None and outcome.simulation is not None:
            message, is_written = self._snapshot(str(snapshot), outcome.simulation)
            if message:
                found.append(self._written.message(InputProblem((*test.path, "expect", "snapshot"), message)))
        return TestResult(self._path, test.name, tuple(found), is_written, changes)

    def _made_by(self, problem: InputProblem) -> str:
        """Return a line with the place in Python of the resource that a problem is about, or nothing."""
        program = program_of(self._definition.text, str(self._definition.path))
        resources = self._rgd.resources
        placed = next((resources[each] for each in map(str, problem.path) if each in resources), None)
        made = program.place(placed.placed.document_span(Span(0, 0)).start) if program and placed else None
        return f"\n  note: {made.message}: {file_place(made)}" if made else ""

    def _updated(
        self, update: UpdatedFile, test: TestCase, outcome: TestOutcome, instances: list[JsonObject]
    ) -> tuple[TestOutcome, str]:
        """Update the expectations of a test. Return its remaining failures, and the changed lines."""
        try:
            changes = update.change(self._written, (*test.path, "expect"), outcome.updated)
        except UnupdatableTestError as error:
            problem = InputProblem((*test.path, "expect"), str(error), in_key=True)
            return replace(outcome, problems=(*outcome.problems, problem)), ""
        return run_test(self._rgd, replace(test, expect=outcome.updated), instances), changes

    def _instances(self, test: TestCase) -> Iterator[tuple[JsonObject, Written, tuple[str | int, ...]]]:
        """Yield the instance and its edited form, each with the document that contains it and its path there."""
        if test.instance is None:
            yield sample_instance(self._rgd), self._written, test.path
        for key, given in (("instance", test.instance), ("then", test.then)):
            if isinstance(given, dict):
                yield given, self._written, (*test.path, key)
            elif given is not None:
                documents = read_documents(self._named(given))
                if len(documents) != 1 or not isinstance(documents[0].value, dict):
                    raise InputError(f"{self._path.parent / given} is not a file with one instance")
                yield documents[0].value, documents[0], ()

    def _snapshot(self, name: str, simulation: Simulation) -> tuple[str, bool]:
        """Return the problem with the snapshot, empty if there is none, and whether it was rewritten."""
        text = snapshot_text(self._rgd, simulation)
        try:
            snapshot = find_snapshot(self._path.parent, name, self._root)
            mismatch = snapshot.mismatch(text)
            if mismatch and self._update is not None and not snapshot.problem:
                snapshot.path.parent.mkdir(parents=True, exist_ok=True)
                write(snapshot.path, text)
                return "", True
        except OSError as error:
            raise InputError(f"{self._path.parent / name}: {error.strerror}") from error
        if mismatch and snapshot.text is not None:
            lines = unified_diff(snapshot.text.splitlines(), text.splitlines(), "snapshot", "now", lineterm="", n=2)
            mismatch += "; accept the objects with --update\n" + "\n".join(lines)
        return mismatch, False


class UnupdatableTestError(Exception):
    """The expectations of a test cannot be written into its file; the text says why and what to do."""


class UpdatedFile:
    """A test file below the folder `root`; each change is written at once."""

    def __init__(self, path: Path, content: str, root: Path) -> None:
        self._path = path
        self._content = content
        self._root = root

    def change(self, written: Written, path: NodePath, value: JsonObject) -> str:
        """Replace the value at a path of a document, and return the changed lines as a unified diff.

        Raises UnupdatableTestError, and then leaves the file unchanged.
        """
        _require_own_file(self._path, self._root)
        previous = self._content
        after = with_value(previous, _number(written), path, value)
        if after is None:
            raise UnupdatableTestError(
                "this cannot be updated: an anchor, a merge key or a tag is in the way; change it by hand"
            )
        try:
            rewrite(self._path, previous, after, (self._root,))
        except UnwritableFileError as error:
            raise UnupdatableTestError(f"this cannot be updated: {error.reason}") from error
        self._content = after
        return "\n".join([*unified_diff(previous.splitlines(), after.splitlines(), lineterm="", n=0)][2:])


def _number(written: Written) -> int:
    """Return the 0-based number of a document in its file."""
    starts = [each.start for each in parse_stream(written.text).documents]
    return starts.index(written.document.start)


def _require_own_file(path: Path, root: Path) -> None:
    """Raise UnupdatableTestError for a test file that is reached through a symbolic link below the root."""
    if path == STANDARD_INPUT:
        raise UnupdatableTestError("this cannot be updated: the test file is standard input; name a file")
    step = Path(os.path.abspath(root))
    file = Path(os.path.abspath(path))
    parts = file.relative_to(step).parts if file.is_relative_to(step) else (file.name,)
    step = step if file.is_relative_to(step) else file.parent
    for part in parts:
        step /= part
        if os.path.islink(step):
            raise UnupdatableTestError(f"this cannot be updated: {part!r} is a symbolic link; name what it leads to")
