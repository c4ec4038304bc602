// An editor of YAML with colours, completion, hover and diagnostics. It has a shadow root, in which its library styles
// it through the object model, as the page's content security policy wants it. Only `box.ts` imports it, when it is needed.

import { acceptCompletion, autocompletion, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { linter, lintKeymap } from '@codemirror/lint';
import { EditorState, StateEffect, type Extension, Transaction } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  placeholder,
  type Tooltip,
  tooltips,
} from '@codemirror/view';

import { html } from '../../chrome';
import type { Ask } from './assistant';
import type { EditorOptions } from './box';
import { completionsBy } from './completion';
import { markdownOf } from './markdown';
import { offsetAt, positionAt } from './positions';
import { diagnosticOf, ProblemLines } from './problems';
import { editorTheme } from './theme';
import { typedOver } from './typedOver';

/** How long a pause in typing is before the text is checked. */
const PAUSE_MILLISECONDS = 250;

const checkAgain = StateEffect.define();

export class YamlEditor {
  readonly #view: EditorView;
  readonly #problems = new ProblemLines(() => this.#view);
  #context = '';

  /** Takes the place of an element of the page. */
  constructor(
    waiting: HTMLElement,
    readonly options: EditorOptions,
  ) {
    const host = html('div', { class: 'editor', id: options.id });
    const root = host.attachShadow({ mode: 'open' });
    this.#view = new EditorView({ state: this.#stateOf(''), parent: root, root });
    // Who brings the focus back to this element means the text in it.
    host.focus = () => {
      this.#view.focus();
    };
    waiting.replaceWith(host, this.#problems.root);
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  get hasFocus(): boolean {
    return this.#view.hasFocus;
  }

  focus(): void {
    this.#view.focus();
  }

  /** Shows a text, with as little change as can be: selection, scroll and the way back stay. */
  show(text: string): void {
    const before = this.text;
    if (before === text) {
      return;
    }
    const [from, to, insert] = difference(before, text);
    this.#view.dispatch({ changes: { from, to, insert }, annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)] });
  }

  /** Has the text checked again where something else that it depends on has changed. */
  checkFor(context: string): void {
    if (context !== this.#context) {
      this.#context = context;
      this.#view.dispatch({ effects: checkAgain.of(null) });
    }
  }

  /** Shows another text, which the user cannot go back from. */
  begin(text: string): void {
    this.#view.setState(this.#stateOf(text));
  }

  #stateOf(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.#extensions() });
  }

  #extensions(): Extension[] {
    const { ask, label, changed } = this.options;
    return [
      history(),
      drawSelection(),
      highlightActiveLine(),
      bracketMatching(),
      indentOnInput(),
      typedOver,
      yaml(),
      placeholder(this.options.placeholder),
      EditorState.tabSize.of(2),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      tooltips({ position: 'fixed' }),
      autocompletion({ override: [completionsBy(ask)], icons: false, activateOnCompletion: ({ type }) => type === 'property' }),
      linter((view) => this.#check(view, ask), {
        delay: PAUSE_MILLISECONDS,
        needsRefresh: ({ transactions }) => transactions.some(({ effects }) => effects.some((each) => each.is(checkAgain))),
      }),
      hoverTooltip((view, at) => hovered(view, at, ask)),
      keymap.of([
        {
          key: 'Tab',
          run: (view) => (completionStatus(view.state) === 'active' ? acceptCompletion(view) : indentMore(view)),
          shift: indentLess,
        },
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      editorTheme,
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        if (docChanged && !transactions.every((each) => each.annotation(Transaction.remote))) {
          changed(state.doc.toString());
        }
      }),
    ];
  }

  async #check(view: EditorView, ask: Ask): Promise<ReturnType<typeof diagnosticOf>[]> {
    const { doc } = view.state;
    const found = (await ask({ method: 'diagnostics' as const }, doc.toString())) ?? [];
    if (view.state.doc === doc) {
      this.#problems.show(found);
    }
    return found.map((each) => diagnosticOf(each, doc));
  }
}

async function hovered(view: EditorView, at: number, ask: Ask): Promise<Tooltip | null> {
  const { doc } = view.state;
  const found = await ask({ method: 'hover' as const, position: positionAt(doc, at) }, doc.toString());
  if (!found) {
    return null;
  }
  const [from, to] = found.range ? [offsetAt(doc, found.range.start), offsetAt(doc, found.range.end)] : [at, at];
  return { pos: from, end: to, create: () => ({ dom: markdownOf(found.contents.value) }) };
}

/** What of a text becomes something else: from where to where, and what. */
export function difference(before: string, after: string): [from: number, to: number, insert: string] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) {
    start++;
  }
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end++;
  }
  return [start, before.length - end, after.slice(start, after.length - end)];
}
