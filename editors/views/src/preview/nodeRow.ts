// One node: its state, why it is as it is, and the tools that change it. Its elements stay while it is shown.

import { html } from '../chrome';
import type { PreviewNode, State } from '../wire';
import { EditorBox } from './editor/box';
import { LongText } from './longText';
import type { NodeActions } from './nodes';
import { observedText, type Scenario } from './scenario';

export const WORDS: Record<State, [sign: string, word: string]> = {
  ready: ['✓', 'ready'],
  waiting: ['…', 'waiting'],
  pending: ['○', 'pending'],
  unfinished: ['✎', 'unfinished'],
  ignored: ['∅', 'ignored'],
  error: ['!', 'error'],
};

export interface RowShown {
  node: PreviewNode;
  state: State;
  objects: number;
  reason: string;
  /** The same in kro's words; empty where there are none. */
  kro: string;
  history: readonly (State | null)[];
  /** The number of the shown pass, from 0 on. */
  at: number;
  isSelected: boolean;
}

export class NodeRow {
  readonly root: HTMLElement;
  readonly #name: HTMLButtonElement;
  readonly #reasonText = html('span', { class: 'clamped' });
  readonly #why = html('button', { type: 'button', class: 'why' }, this.#reasonText);
  readonly #reason: LongText;
  readonly #tools: HTMLElement;
  readonly #hold = toolButton('Hold back', 'Let this node never get ready (H)');
  readonly #remove = toolButton('Remove', 'As if this object were not there (R)');
  readonly #edit = toolButton('Edit status', 'Say what the cluster reports for it (E)');
  readonly #again = toolButton('Simulate again', 'The simulated status again');
  /** Made when it is first wanted: of many nodes few are edited. */
  #editor: EditorBox | null = null;
  #isEditing = false;
  #shown: RowShown | null = null;

  constructor(
    readonly id: string,
    readonly scenario: Scenario,
    readonly actions: NodeActions,
  ) {
    this.#name = html('button', { type: 'button', class: 'node-name', id: `node-${id}` });
    this.#hold.id = `node-${id}-hold`;
    this.#remove.id = `node-${id}-remove`;
    this.#edit.id = `node-${id}-edit`;
    this.#tools = html(
      'div',
      { class: 'tools', role: 'group', 'aria-label': `Change ${id}` },
      this.#hold,
      this.#remove,
      this.#edit,
      this.#again,
    );
    this.#reason = new LongText(this.#why, id, this.#reasonText);
    this.root = html('li', { 'data-node': id }, this.#name, this.#reason.root, this.#tools);
    this.#listen();
  }

  show(shown: RowShown): void {
    this.#shown = shown;
    const { node, state, reason, isSelected } = shown;
    this.root.className = `node ${state}${isSelected ? ' selected' : ''}`;
    this.#drawName(shown);
    this.#name.setAttribute('aria-expanded', String(isSelected));
    this.#reason.root.hidden = reason === '';
    if (this.#reasonText.textContent !== reason) {
      this.#reasonText.textContent = reason;
    }
    this.#why.tabIndex = isSelected ? 0 : -1;
    const { kro } = shown;
    this.#reason.show(kro !== '' && kro !== reason ? `${reason}\n\nkro says:\n${kro}` : reason);
    this.#tools.hidden = !isSelected;
    this.#remove.hidden = !node.external;
    this.#again.hidden = !this.scenario.observed.has(this.id);
    this.#hold.setAttribute('aria-pressed', String(this.scenario.held.has(this.id)));
    this.#remove.setAttribute('aria-pressed', String(this.scenario.removed.has(this.id)));
    this.#drawEditor();
  }

  /** Opens the status to be edited, or closes it. */
  edit(): void {
    const { node } = this.#shown ?? {};
    if (node && this.actions.edit) {
      this.actions.edit(node);
      return;
    }
    this.#isEditing = !this.#isEditing;
    this.#drawEditor();
    if (this.#isEditing) {
      this.#editor?.focus();
    }
  }

  #listen(): void {
    this.root.addEventListener('keydown', (event) => {
      // In the editor, Escape lets the next Tab leave it.
      if (event.key === 'Escape' && this.#isEditing && !this.#editor?.hasFocus) {
        event.stopPropagation();
        this.edit();
        this.#edit.focus();
      }
    });
    this.#name.addEventListener('click', () => {
      this.actions.select(this.id);
      this.#reveal();
    });
    this.#why.addEventListener('click', () => {
      this.#reveal();
    });
    this.#hold.addEventListener('click', () => {
      this.#toggle(this.scenario.held);
    });
    this.#remove.addEventListener('click', () => {
      this.#toggle(this.scenario.removed);
    });
    this.#edit.addEventListener('click', () => {
      this.edit();
    });
    this.#again.addEventListener('click', () => {
      this.#isEditing = false;
      this.#edit.focus();
      if (this.#shown) {
        this.actions.simulateAgain(this.#shown.node);
      }
    });
  }

  #reveal(): void {
    if (this.#shown) {
      this.actions.reveal(this.#shown.node);
    }
  }

  #toggle(ids: Set<string>): void {
    if (!ids.delete(this.id)) {
      ids.add(this.id);
    }
    this.actions.changed();
  }

  #drawName({ node, state, objects, reason, history, at }: RowShown): void {
    const [sign, word] = WORDS[state];
    const marks = this.#marks(node);
    const strip = history.map((each, number) =>
      html('i', { class: `${each ? `state-${each}` : ''}${number === at ? ' now' : ''}${number > at ? ' later' : ''}` }),
    );
    this.#name.replaceChildren(
      html('span', { class: `sign state-${state}`, 'aria-hidden': 'true' }, sign),
      html('span', { class: 'id' }, node.id),
      ...(objects < 2 ? [] : [html('span', { class: 'count' }, `×${objects}`)]),
      ...marks.map((mark) => html('span', { class: 'mark' }, mark)),
      html('span', { class: 'node-kind' }, node.kind),
      html('span', { class: 'strip', 'aria-hidden': 'true' }, ...strip),
    );
    this.#name.setAttribute(
      'aria-label',
      [node.id, node.kind, word, objects === 1 ? '1 object' : `${objects} objects`, ...marks, reason].filter(Boolean).join('; '),
    );
  }

  #marks({ id, external }: PreviewNode): string[] {
    const { held, removed, observed } = this.scenario;
    return [
      external ? 'external' : '',
      held.has(id) ? 'held back' : '',
      removed.has(id) ? 'removed' : '',
      observed.has(id) ? 'status edited' : '',
    ].filter(Boolean);
  }

  /** What the cluster says, as YAML; what the user types stays. */
  #drawEditor(): void {
    const { node, isSelected } = this.#shown ?? {};
    const isShown = this.#isEditing && isSelected === true && node !== undefined;
    this.#edit.setAttribute('aria-pressed', String(isShown));
    if (this.#editor) {
      this.#editor.root.hidden = !isShown;
    }
    if (isShown) {
      this.#editor ??= this.#makeEditor();
      if (!this.#editor.hasFocus) {
        this.#editor.show(this.scenario.observed.get(this.id) ?? observedText(node.observed));
      }
    }
  }

  #makeEditor(): EditorBox {
    const editor = new EditorBox({
      id: `observed-${this.id}`,
      label: `What the cluster says of ${this.id}`,
      placeholder: 'status:\n  …',
      ask: this.actions.assistant.about(() => ({
        of: 'observed',
        apiVersion: this.#shown?.node.apiVersion ?? '',
        kind: this.#shown?.node.kind ?? '',
      })),
      changed: (text) => {
        this.scenario.observed.set(this.id, text);
        this.actions.changed();
      },
    });
    this.root.append(editor.root);
    return editor;
  }
}

function toolButton(text: string, title: string): HTMLButtonElement {
  return html('button', { type: 'button', title, 'aria-pressed': 'false' }, text);
}
