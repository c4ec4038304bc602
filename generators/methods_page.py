"""The page of the protocol's methods.

The server itself lists what it registers, so the page cannot describe a method that does not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import register
from kro_ls.server.requests import create_server, diagnostic

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = """\
# Methods of the Language Server Protocol

What kro-ls answers and takes note of. `scripts/generate` makes the table from the server.
Every feature works on half-typed and broken text, and returns an empty answer where it has nothing to offer.

| method | what it does |
|---|---|
"""

WORDS = {
    types.INITIALIZE: "agrees on the units of positions, and on how diagnostics travel",
    types.INITIALIZED: "starts to read the files of the workspace, and asks to be notified of changed ones",
    types.SHUTDOWN: "lets go of everything",
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: "reads CRDs, definitions and instances again that changed on disk, or "
    "whose folder did",
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: "reads the files of the folders that are there now",
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: "takes other settings, and says what is wrong with them",
    types.TEXT_DOCUMENT_DID_OPEN: "starts to follow a document",
    types.TEXT_DOCUMENT_DID_CHANGE: "follows edits, which are incremental",
    types.TEXT_DOCUMENT_DID_SAVE: "shows what was held back while it was being typed",
    types.TEXT_DOCUMENT_DID_CLOSE: "goes back to the file as it is on disk",
    types.TEXT_DOCUMENT_HOVER: "types, values and documentation of expressions, YAML, kinds, SimpleSchema, status, "
    "and of the fields and values of instances",
    types.TEXT_DOCUMENT_DEFINITION: "ids, iterators, variables, fields of the schema also from instances and chained "
    "definitions, kinds, fields of kinds; with the place that leads there where the client takes links",
    types.TEXT_DOCUMENT_TYPE_DEFINITION: "the field in the CRD's file, or in a virtual document of a bundled kind; the "
    "custom type of a field",
    types.TEXT_DOCUMENT_REFERENCES: "all uses of a name; of an id, a field or a kind in all files of the workspace",
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: "the same in one document",
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "the outline of definitions with their objects, instances and test files",
    types.TEXT_DOCUMENT_FOLDING_RANGE: "whatever spans lines",
    types.TEXT_DOCUMENT_SELECTION_RANGE: "parts of an expression, the expression, its value, the YAML around it",
    types.TEXT_DOCUMENT_DOCUMENT_LINK: "from a kind to the file that declares it, from a test file to what it names",
    types.TEXT_DOCUMENT_LINKED_EDITING_RANGE: "ids, iterators, variables, custom types are typed in all places at once",
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: "what the words are in expressions and SimpleSchema, and in instances",
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: "what of it changed",
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: "what is on the screen of it",
    types.WORKSPACE_SYMBOL: "definitions, kinds, fields, resources and instances by name, in all files",
    types.WORKSPACE_WILL_RENAME_FILES: "test files follow a renamed definition, instance or folder",
    types.WORKSPACE_DID_RENAME_FILES: "reads the renamed files, and those in renamed folders",
    types.WORKSPACE_DID_DELETE_FILES: "forgets what deleted files, and those in deleted folders, declared",
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: "a resource of the dependency graph",
    types.CALL_HIERARCHY_INCOMING_CALLS: "the resources that depend on it, with the places",
    types.CALL_HIERARCHY_OUTGOING_CALLS: "the resources that it depends on, with the places",
    types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY: "a kind that a definition of the workspace declares",
    types.TYPE_HIERARCHY_SUBTYPES: "the declared kinds that its definition is built of",
    types.TYPE_HIERARCHY_SUPERTYPES: "the kinds whose definitions are built with it",
    types.TEXT_DOCUMENT_COMPLETION: "names, fields, functions, kinds, keys, values, markers, snippets",
    types.COMPLETION_ITEM_RESOLVE: "the documentation of an item",
    types.TEXT_DOCUMENT_SIGNATURE_HELP: "the parameters of functions and macros",
    types.TEXT_DOCUMENT_INLAY_HINT: "types of status fields and iterators, and values, each with a tooltip",
    types.TEXT_DOCUMENT_CODE_LENS: "previews of a definition with their state, and of an instance",
    types.CODE_LENS_RESOLVE: "what a lens says",
    types.TEXT_DOCUMENT_CODE_ACTION: "fixes of what is wrong",
    types.TEXT_DOCUMENT_PREPARE_RENAME: "whether a name can be renamed",
    types.TEXT_DOCUMENT_RENAME: "ids, with tests; iterators, variables, custom types; fields of the schema and status, "
    "and kinds, with instances, chained definitions and tests; refused with the reason where kro would "
    "then refuse a definition",
    types.TEXT_DOCUMENT_FORMATTING: "the blanks of expressions; line breaks, comments and the YAML stay as they are",
    types.TEXT_DOCUMENT_RANGE_FORMATTING: (
        "the same in a range; a manifest pasted below `template:` is indented to its place, as by a code action"
    ),
    types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: "the same when `}` closes an expression; indents a new line",
    types.TEXT_DOCUMENT_DIAGNOSTIC: "for clients that ask; others are sent diagnostics",
    types.WORKSPACE_DIAGNOSTIC: "for clients that ask: the files that are not open; others are sent their diagnostics",
    types.WORKSPACE_EXECUTE_COMMAND: "previews, graphs, CRDs, instances: see [editor commands](editor-commands.md)",
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: "virtual documents: previews, graphs, kinds, pages of rules",
}
"""What each method does, for users; kro-ls's own methods are described elsewhere."""


def registered() -> tuple[str, ...]:
    """Return the protocol's methods that the server registers, those for clients that ask for diagnostics included."""
    server = create_server()
    for each in diagnostic.REGISTERED:
        register(server, each)
    found = {*server.protocol.fm.features, types.WORKSPACE_EXECUTE_COMMAND, types.INITIALIZE, types.SHUTDOWN}
    return tuple(sorted(name for name in found if not name.startswith("kro")))


def files(_root: Path) -> dict[str, str]:
    """Return the page by its path."""
    rows = [f"| `{name}` | {WORDS.get(name, '')} |" for name in registered()]
    return {"docs/methods.md": _HEAD + "\n".join(rows) + _TAIL}


_TAIL = """

Diagnostics have the tags `unnecessary` and `deprecated`, and a link to the page of their rule where the client can show
virtual documents. Reading the files of the workspace is shown as work in progress, and can be called off.
"""
