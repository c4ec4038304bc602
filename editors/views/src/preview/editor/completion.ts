// Completion as the server gives it.

import { type Completion, type CompletionContext, type CompletionResult, insertCompletionText, snippet } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';

import type { Ask, CompletionItem } from './assistant';
import { markdownOf } from './markdown';
import { offsetAt, positionAt } from './positions';

const SNIPPET = 2;
/** Where a list comes by itself: in a word, after `key: ` and after `- `. */
const ASKS = /(?:[\w$./-]|: |- )$/;
/** What a word is typed on with, so that the same list still counts. */
const WORD = /^[\w$./-]*$/;
/** By LSP's numbers, of those that occur in YAML. */
const TYPES: Record<number, string> = { 10: 'property', 12: 'constant', 13: 'enum', 15: 'text', 20: 'enum', 22: 'class' };

/** The source of completions. */
export function completionsBy(ask: Ask): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    const { state, pos } = context;
    const line = state.doc.lineAt(pos);
    if (!context.explicit && !ASKS.test(state.sliceDoc(line.from, pos))) {
      return null;
    }
    const text = state.doc.toString();
    const list = await ask({ method: 'completion' as const, position: positionAt(state.doc, pos) }, text);
    const first = list?.items[0]?.textEdit;
    if (!list || !first || context.aborted) {
      return null;
    }
    return {
      from: offsetAt(state.doc, first.range.start),
      to: offsetAt(state.doc, first.range.end),
      options: list.items.map((item) => optionOf(item, ask, text)),
      ...(list.isIncomplete ? {} : { validFor: WORD }),
    };
  };
}

function optionOf(item: CompletionItem, ask: Ask, text: string): Completion {
  const { label, filterText, detail, kind, sortText } = item;
  return {
    label: filterText ?? label,
    ...(filterText === undefined ? {} : { displayLabel: label }),
    ...(detail === undefined ? {} : { detail }),
    ...(sortText === undefined ? {} : { sortText }),
    type: TYPES[kind ?? 0] ?? 'text',
    apply: (view, completion, from, to) => {
      insert(view, completion, item, from, to);
    },
    info: async () => {
      const found = item.data ? await ask({ method: 'description' as const, item }, text) : null;
      return found ? markdownOf(found.value) : null;
    },
  };
}

function insert(view: EditorView, completion: Completion, item: CompletionItem, from: number, to: number): void {
  const text = item.textEdit?.newText ?? item.label;
  if (item.insertTextFormat === SNIPPET) {
    snippet(templateOf(text))(view, completion, from, to);
  } else {
    view.dispatch(insertCompletionText(view.state, text, from, to));
  }
}

/** The editor's form of LSP's snippets: `$1`, `${1:name}` and `${1|a,b|}` are fields, braces elsewhere are escaped. */
export function templateOf(text: string): string {
  return text.replace(
    /\\([\\$}])|\$(\d+)|\$\{(\d+)(?::([^}]*)|\|([^|,]*)[^|]*\|)?\}|([{}])/g,
    (_, literal?: string, plain?: string, number?: string, name?: string, choice?: string, brace?: string) => {
      if (literal !== undefined) {
        return literal === '}' || literal === '{' ? `\\${literal}` : literal;
      }
      if (brace !== undefined) {
        return `\\${brace}`;
      }
      const place = plain ?? number ?? '';
      const inner = name ?? choice ?? '';
      // The place where the cursor ends has no number there.
      return place === '0' ? '${}' : `\${${place}:${inner}}`;
    },
  );
}
