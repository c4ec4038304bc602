"""What the sources of completion give: items, in the order of likelihood, and where they were offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lsprotocol import types
from msgspec import Struct

from kro_ls.cel.types.declarations import declared_variables
from kro_ls.cursor.cursor import Cursor
from kro_ls.features.lsp_types import CompletionItem, Lookup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.cel.types.declarations import MacroDeclaration, Overload
    from kro_ls.cursor.likely.likelihood import Candidate, Likelihood
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span

FUNCTION_KEY = "function"
"""The key in an item's data under which the declared name of its function or macro stands."""
FIELD_KEY = "yamlField"
"""The key under which the name of a field of YAML stands."""
_DOCUMENT_KEY = "uri"
_OFFSET_KEY = "offset"
Offer: TypeAlias = "tuple[Candidate, Callable[[], CompletionItem]]"
"""A name, and a function that makes its item, as most names of a long list are never shown."""
MOST_ITEMS = 100


class Completions(Struct, frozen=True):
    """Items, best first, and the span that they replace. Each inserts its `insert_text`, or else its label.

    With `is_incomplete` clients ask again when more is typed: there are other items, or the typed word may become one
    of these, after which nothing is offered.
    """

    items: list[CompletionItem]
    replaced: Span
    is_incomplete: bool = False


def lookup(document: Document, offset: int) -> Lookup:
    """Return the data of an item that is offered at a document offset."""
    return {_DOCUMENT_KEY: document.uri, _OFFSET_KEY: offset}


def data_of(item: types.CompletionItem) -> Mapping[str, object]:
    """Return what an item that a client sends back was given as its data."""
    return item.data if isinstance(item.data, dict) else {}


def offered_at(item: types.CompletionItem, documents: Mapping[str, Document]) -> Cursor | None:
    """Return where an item was offered, None where the item does not say it or the document is closed."""
    data = data_of(item)
    document, offset = documents.get(str(data.get(_DOCUMENT_KEY))), data.get(_OFFSET_KEY)
    return Cursor(document, offset) if document and isinstance(offset, int) else None


def snippet_item(label: str, detail: str, text: str) -> CompletionItem:
    """Return an item that inserts a snippet, its lines indented like the first one."""
    return CompletionItem(
        label,
        kind=types.CompletionItemKind.Snippet,
        detail=detail,
        insert_text=text,
        insert_text_format=types.InsertTextFormat.Snippet,
        insert_text_mode=types.InsertTextMode.AdjustIndentation,
    )


def function_item(
    label: str,
    declared_name: str,
    overloads: tuple[Overload, ...],
    kind: types.CompletionItemKind,
    *,
    snippets: bool,
) -> CompletionItem:
    """Return an item that calls a function; the cursor goes between the parentheses if there are arguments."""
    takes_arguments = any(overload.arguments for overload in overloads)
    inserted = f"{label}($0)" if takes_arguments else f"{label}()$0"
    return _call_item(label, declared_name, inserted, kind, overloads[0].signature(declared_name), snippets=snippets)


def macro_item(macro: MacroDeclaration, *, snippets: bool) -> CompletionItem:
    """Return an item that calls a macro, with places for the variables that it declares."""
    names = declared_variables(macro.argument_names[0])
    variables = "".join(f"${{{number}:{name}}}, " for number, name in enumerate(names, start=1))
    kind = types.CompletionItemKind.Keyword
    detail = macro.signatures()[0]
    return _call_item(macro.name, macro.name, f"{macro.name}({variables}$0)", kind, detail, snippets=snippets)


def _call_item(
    label: str, declared_name: str, snippet: str, kind: types.CompletionItemKind, detail: str, *, snippets: bool
) -> CompletionItem:
    return CompletionItem(
        label,
        kind=kind,
        detail=detail,
        insert_text=snippet if snippets else label,
        insert_text_format=types.InsertTextFormat.Snippet if snippets else types.InsertTextFormat.PlainText,
        data={FUNCTION_KEY: declared_name},
    )


def best_items(offers: list[Offer], likelihood: Likelihood, word: str) -> list[CompletionItem]:
    """Return the items of the likeliest names; `word` is what is typed so far."""
    letters = word.lower()
    found = offers
    if len(offers) > MOST_ITEMS:
        found = [offer for offer in offers if has_letters(offer[0].name.lower(), letters)]

    def place(offer: Offer) -> tuple[bool, bool, bool, float]:
        """Return what to sort by: first what begins with the word, last what is hardly ever meant."""
        candidate, score = offer[0], -likelihood.score(offer[0])
        if not word:
            return False, candidate.is_last, False, score
        name = candidate.name
        return not name.lower().startswith(letters), candidate.is_last, not name.startswith(word), score

    best = sorted(found, key=place)[:MOST_ITEMS]
    return [make() for _, make in best]


def has_letters(text: str, letters: str) -> bool:
    """Whether a text has the letters in their order, with any others between them, as clients judge it."""
    rest = iter(text)
    return all(letter in rest for letter in letters)
