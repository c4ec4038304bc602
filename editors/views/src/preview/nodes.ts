// The nodes: what became of each, pass by pass, and what the user can change about it.

import { html } from '../chrome';
import type { Range } from '../data';
import type { MissingResource, PreviewNode, State } from './data';
import { PassStates } from './passes';
import { missingRow } from './refused';
import { observedText, type Scenario } from './scenario';

export const WORDS: Record<State, [sign: string, word: string]> = {
  ready: ['✓', 'ready'],
  waiting: ['…', 'waiting'],
  pending: ['○', 'pending'],
  unfinished: ['✎', 'unfinished'],
  ignored: ['∅', 'ignored'],
  error: ['!', 'error'],
};

export interface NodeActions {
  select(id: string): void;
  /** Goes to the place that failed, or to the node's line. */
  reveal(node: PreviewNode): void;
  revealRange(range: Range): void;
  changed(): void;
}

export interface NodesShown {
  nodes: readonly PreviewNode[];
  missing: readonly MissingResource[];
  passes: PassStates;
  at: number;
  selected: string | null;
}

export class NodeList {
  readonly root = html('ul', { class: 'nodes', 'aria-label': 'Nodes' });
  #shown: NodesShown = { nodes: [], missing: [], passes: new PassStates({}), at: 0, selected: null };
  #editing: string | null = null;

  constructor(
    readonly scenario: Scenario,
    readonly actions: NodeActions,
  ) {
    this.root.addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
  }

  show(shown: NodesShown): void {
    this.#shown = shown;
    const typing = document.activeElement instanceof HTMLTextAreaElement && this.root.contains(document.activeElement);
    const focused = document.activeElement?.id;
    const editor = typing ? document.activeElement : null;
    const reveal = { reveal: (range: Range) => { this.actions.revealRange(range); } };
    const rows = [...shown.nodes.map((node) => this.#row(node, editor)), ...shown.missing.map((each) => missingRow(each, reveal))];
    const scroll = this.root.parentElement?.scrollTop ?? 0;
    const selection = editor ? [(editor as HTMLTextAreaElement).selectionStart, (editor as HTMLTextAreaElement).selectionEnd] : null;
    this.root.replaceChildren(...rows);
    this.root.parentElement?.scrollTo({ top: scroll });
    if (editor && selection) {
      (editor as HTMLTextAreaElement).focus({ preventScroll: true });
      (editor as HTMLTextAreaElement).setSelectionRange(selection[0] ?? 0, selection[1] ?? 0);
    } else if (focused?.startsWith('node-')) {
      document.getElementById(focused)?.focus({ preventScroll: true });
    }
  }

  #redraw(): void {
    this.show(this.#shown);
  }

  #row(node: PreviewNode, editor: Element | null): HTMLElement {
    const { passes, at, selected } = this.#shown;
    const now = passes.node(at, node.id) ?? { state: node.state, objects: node.objects, reason: '' };
    const isLast = at >= passes.passes.length - 1;
    const reason = isLast ? node.reason : now.reason;
    const isSelected = node.id === selected;
    const [sign, word] = WORDS[now.state];
    const count = now.objects < 2 ? '' : `×${now.objects}`;
    const marks = this.#marks(node);
    const name = html(
      'button',
      {
        type: 'button',
        class: 'node-name',
        id: `node-${node.id}`,
        'aria-expanded': String(isSelected),
        'aria-label': [node.id, word, `${now.objects} objects`, ...marks, reason].filter(Boolean).join('; '),
        tabindex: isSelected || (selected === null && node === this.#shown.nodes[0]) ? '0' : '-1',
      },
      html('span', { class: `sign state-${now.state}`, 'aria-hidden': 'true' }, sign),
      html('span', { class: 'id' }, node.id),
      ...(count ? [html('span', { class: 'count' }, count)] : []),
      ...marks.map((mark) => html('span', { class: 'mark' }, mark)),
      html('span', { class: 'strip', 'aria-hidden': 'true' }, ...this.#strip(node.id)),
    );
    name.addEventListener('click', () => {
      this.actions.select(node.id);
      this.actions.reveal(node);
    });
    const row = html('li', { class: `node ${now.state}${isSelected ? ' selected' : ''}`, 'data-node': node.id }, name);
    if (reason) {
      const why = html('button', { type: 'button', class: 'why', title: node.kro ?? reason, tabindex: isSelected ? '0' : '-1' }, reason);
      why.addEventListener('click', () => {
        this.actions.reveal(node);
      });
      row.append(why);
    }
    if (isSelected) {
      row.append(this.#tools(node));
      if (this.#editing === node.id) {
        row.append(this.#editor(node, editor));
      }
    }
    return row;
  }

  #strip(id: string): HTMLElement[] {
    return this.#shown.passes
      .history(id)
      .map((state, number) => html('i', { class: `${state ? `state-${state}` : ''}${number === this.#shown.at ? ' now' : ''}${number > this.#shown.at ? ' later' : ''}` }));
  }

  #marks({ id, external }: PreviewNode): string[] {
    const { held, removed, observed } = this.scenario;
    return [external ? 'external' : '', held.has(id) ? 'held back' : '', removed.has(id) ? 'removed' : '', observed.has(id) ? 'status edited' : ''].filter(Boolean);
  }

  #tools(node: PreviewNode): HTMLElement {
    const { held, removed, observed } = this.scenario;
    const tools = [
      this.#toggle(node.id, 'hold', 'Hold back', 'Let this node never get ready (H)', held.has(node.id), () => {
        toggle(held, node.id);
      }),
    ];
    if (node.external) {
      tools.push(
        this.#toggle(node.id, 'remove', 'Remove', 'As if this object were not there (R)', removed.has(node.id), () => {
          toggle(removed, node.id);
        }),
      );
    }
    const edit = html('button', { type: 'button', id: `node-${node.id}-edit`, 'aria-pressed': String(this.#editing === node.id), title: 'Say what the cluster tells of it (E)' }, 'Edit status');
    edit.addEventListener('click', () => {
      this.#edit(node.id);
    });
    tools.push(edit);
    if (observed.has(node.id)) {
      const back = html('button', { type: 'button', title: 'The simulated status again' }, 'Simulate again');
      back.addEventListener('click', () => {
        observed.delete(node.id);
        this.#editing = null;
        this.actions.changed();
      });
      tools.push(back);
    }
    return html('div', { class: 'tools', role: 'group', 'aria-label': `Change ${node.id}` }, ...tools);
  }

  #toggle(id: string, name: string, text: string, title: string, pressed: boolean, change: () => void): HTMLButtonElement {
    const made = html('button', { type: 'button', id: `node-${id}-${name}`, title, 'aria-pressed': String(pressed) }, text);
    made.addEventListener('click', () => {
      change();
      this.actions.changed();
    });
    return made;
  }

  #edit(id: string): void {
    this.#editing = this.#editing === id ? null : id;
    this.#redraw();
    this.root.querySelector('textarea')?.focus();
  }

  /** What the cluster says, as YAML; the element in which the user types is kept. */
  #editor(node: PreviewNode, old: Element | null): HTMLElement {
    if (old?.id === `observed-${node.id}`) {
      return old as HTMLElement;
    }
    const text = this.scenario.observed.get(node.id) ?? observedText(node.observed);
    const area = html('textarea', {
      id: `observed-${node.id}`,
      class: 'code',
      spellcheck: 'false',
      rows: String(Math.min(Math.max(text.split('\n').length, 4), 14)),
      'aria-label': `What the cluster says of ${node.id}`,
      placeholder: 'status:\n  …',
    });
    area.value = text;
    area.addEventListener('input', () => {
      this.scenario.observed.set(node.id, area.value);
      this.actions.changed();
    });
    return area;
  }

  #onKey(event: KeyboardEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('[data-node]');
    const node = this.#shown.nodes.find((each) => each.id === row?.dataset['node']);
    if (!node || !(event.target as Element).classList.contains('node-name') || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const { nodes } = this.#shown;
    const next = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const other = next === 0 ? undefined : nodes[nodes.indexOf(node) + next];
    if (other) {
      event.preventDefault();
      this.actions.select(other.id);
      document.getElementById(`node-${other.id}`)?.focus();
    } else if (event.key === 'h' || (event.key === 'r' && node.external)) {
      toggle(event.key === 'h' ? this.scenario.held : this.scenario.removed, node.id);
      this.actions.select(node.id);
      this.actions.changed();
    } else if (event.key === 'e') {
      event.preventDefault();
      this.actions.select(node.id);
      this.#edit(node.id);
    }
  }
}

function toggle(ids: Set<string>, id: string): void {
  if (!ids.delete(id)) {
    ids.add(id);
  }
}
