// The nodes: what became of each, pass by pass, and what the user can change about it.

import { html } from '../chrome';
import type { Range } from '../wire';
import type { MissingResource, PreviewNode } from '../wire';
import type { Assistant } from './editor/assistant';
import { NodeRow, type RowShown, WORDS } from './nodeRow';
import { PassStates } from './passes';
import { missingRow } from './refused';
import type { Scenario } from './scenario';
import { type Row, Sections } from './sections';

export interface NodeActions {
  readonly assistant: Assistant;
  select(id: string): void;
  /** Goes to the place that failed, or to the node's line. */
  reveal(node: PreviewNode): void;
  revealRange(range: Range): void;
  changed(): void;
  /** Has the editor open a document with what the cluster says of a node; null where that is edited in the page. */
  edit: ((node: PreviewNode) => void) | null;
  /** What the cluster says of a node counts no more as it was edited. */
  simulateAgain(node: PreviewNode): void;
}

export interface NodesShown {
  nodes: readonly PreviewNode[];
  missing: readonly MissingResource[];
  passes: PassStates;
  at: number;
  selected: string | null;
}

const GROUPS = { none: 'All in one list', state: 'By state', pass: 'By pass', kind: 'By kind' };
const MISSING = 'missing';

export class NodeList {
  readonly #list = html('ul', { class: 'nodes', 'aria-label': 'Nodes' });
  readonly #sections = new Sections(this.#list, { what: 'nodes', search: 'Filter by id, kind, state or reason', groups: GROUPS }, () => {
    this.#redraw();
  });
  readonly root = this.#sections.root;
  #shown: NodesShown = { nodes: [], missing: [], passes: new PassStates({}), at: 0, selected: null };
  #rows = new Map<string, NodeRow>();
  #missing: { shape: string; rows: HTMLElement[] } = { shape: '[]', rows: [] };

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
    const rows = new Map<string, NodeRow>();
    for (const node of shown.nodes) {
      const row = this.#rows.get(node.id) ?? new NodeRow(node.id, this.scenario, this.actions);
      row.show(this.#rowOf(node));
      rows.set(node.id, row);
    }
    this.#rows = rows;
    this.#redraw();
  }

  focusSearch(): void {
    this.#sections.focusSearch();
  }

  #rowOf(node: PreviewNode): RowShown {
    const { passes, at, selected } = this.#shown;
    const isLast = at >= passes.passes.length - 1;
    const now = passes.node(at, node.id) ?? node;
    return {
      node,
      state: now.state,
      objects: now.objects,
      reason: isLast ? node.reason : (now.reason ?? ''),
      kro: isLast ? (node.kro ?? '') : (now.kro ?? ''),
      history: passes.history(node.id),
      at,
      isSelected: node.id === selected,
    };
  }

  #redraw(): void {
    const { nodes, missing } = this.#shown;
    const rows = nodes.map((node): Row => {
      const { state, reason, kro } = this.#rowOf(node);
      const element = this.#rows.get(node.id)?.root ?? html('li');
      return { element, section: this.#sectionOf(node), words: [node.id, node.kind, WORDS[state][1], reason, kro].join(' ') };
    });
    const section = this.#sections.grouping === 'none' ? null : MISSING;
    const others = this.#missingRows(missing).map((element): Row => ({ element, section, words: `${element.textContent} missing` }));
    this.#sections.show([...rows, ...others], '');
    this.#putStop();
  }

  /** Has the Tab key come to one row that is to be seen: the one with the focus, the selected one, or the first. */
  #putStop(): void {
    const { shown } = this.#sections;
    const selected = this.#rows.get(this.#shown.selected ?? '')?.root;
    const stop = shown.find((row) => row.contains(document.activeElement)) ?? shown.find((row) => row === selected) ?? shown[0];
    shown.forEach((row) => {
      nameIn(row).tabIndex = row === stop ? 0 : -1;
    });
  }

  #missingRows(missing: readonly MissingResource[]): HTMLElement[] {
    const shape = JSON.stringify(missing);
    if (shape !== this.#missing.shape) {
      const reveal = {
        reveal: (range: Range) => {
          this.actions.revealRange(range);
        },
      };
      this.#missing = { shape, rows: missing.map((each) => missingRow(each, reveal)) };
    }
    return this.#missing.rows;
  }

  #sectionOf(node: PreviewNode): string | null {
    const { passes, at } = this.#shown;
    switch (this.#sections.grouping) {
      case 'state':
        return WORDS[(passes.node(at, node.id) ?? node).state][1];
      case 'pass': {
        const first = passes.passes.findIndex(({ created }) => created.some((each) => each.node === node.id));
        return first < 0 ? 'No object created' : `Created in pass ${first + 1}`;
      }
      case 'kind':
        return node.kind || 'no kind';
      default:
        return null;
    }
  }

  #onKey(event: KeyboardEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('.node');
    if (!row || !(event.target as Element).classList.contains('node-name') || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const direction = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const node = this.#shown.nodes.find((each) => each.id === row.dataset['node']);
    if (direction !== 0) {
      event.preventDefault();
      this.#step(row, direction);
    } else if (!node) {
      return; // what is missing has no keys of its own
    } else if (event.key === 'h' || (event.key === 'r' && node.external)) {
      toggle(event.key === 'h' ? this.scenario.held : this.scenario.removed, node.id);
      this.actions.select(node.id);
      this.actions.changed();
    } else if (event.key === 'e') {
      event.preventDefault();
      this.actions.select(node.id);
      this.#rows.get(node.id)?.edit();
    }
  }

  /** Goes to the next row that is to be seen. */
  #step(row: HTMLElement, by: 1 | -1): void {
    const { shown } = this.#sections;
    const next = shown[shown.indexOf(row) + by];
    if (next) {
      nameIn(next).focus();
      this.#putStop();
      const id = next.dataset['node'];
      if (id !== undefined) {
        this.actions.select(id);
      }
    }
  }
}

/** The element of a row that takes the focus. */
function nameIn(row: HTMLElement): HTMLElement {
  return row.querySelector<HTMLElement>('.node-name') ?? row;
}

export function toggle(ids: Set<string>, id: string): void {
  if (!ids.delete(id)) {
    ids.add(id);
  }
}
