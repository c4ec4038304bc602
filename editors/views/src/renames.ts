// Resources that got another id while the user types: each stays the same box, and what reads it stays where it is until it
// reads the new id.

import type { ResourceNode } from './wire';
import type { Layout } from './layout';
import type { Model } from './model';

/** Of so many resources that vanished it is known where they stood in the text. */
const MOST_VANISHED = 16;

interface Place {
  id: string;
  kind: string | null;
  /** The resource before it in the text. */
  previous: string;
}

export class Renames {
  #places: Place[] = [];
  #vanished: Place[] = [];
  /** The ids that resources lost, while something may still read them. */
  #former = new Set<string>();

  /** The new ids of resources by their former ones, since the nodes before. */
  follow(nodes: readonly ResourceNode[]): Map<string, string> {
    const now = nodes.map(({ id, kind }, number) => ({ id, kind, previous: nodes[number - 1]?.id ?? '' }));
    const [ids, before] = [new Set(now.map(({ id }) => id)), new Set(this.#places.map(({ id }) => id))];
    const gone = this.#places.filter(({ id }) => !ids.has(id));
    const isFirst = before.size === 0;
    this.#places = now;
    this.#vanished = [...gone, ...this.#vanished.filter(({ id }) => !ids.has(id))].slice(0, MOST_VANISHED);
    const found = new Map<string, string>();
    for (const { id, kind, previous } of now.filter((each) => !isFirst && !before.has(each.id))) {
      const old = this.#vanished.find((each) => each.previous === previous && each.kind === kind && !found.has(each.id));
      if (old) {
        found.set(old.id, id);
      }
    }
    this.#vanished = this.#vanished.filter(({ id }) => !found.has(id));
    // Another change than a new name is worth a new layout.
    if (now.length !== before.size || gone.some(({ id }) => !found.has(id))) {
      this.#former = gone.length > 0 ? new Set(gone.map(({ id }) => id)) : new Set();
    }
    [...found.keys()].forEach((id) => this.#former.add(id));
    const isRead = (id: string): boolean =>
      nodes.some(({ problems }) => problems.some(({ code, message }) => code === 'unresolved-reference' && message.includes(`'${id}'`)));
    this.#former = new Set([...this.#former].filter(isRead));
    return found;
  }

  /** Whether something reads an id that its resource has no longer. */
  get areOpen(): boolean {
    return this.#former.size > 0;
  }
}

/** What is known of boxes by their former ids, by their new ones. */
export function renamedLayout(layout: Layout, names: ReadonlyMap<string, string>): Layout {
  const of = (id: string): string => names.get(id) ?? id;
  const byBox = <Value>(all: ReadonlyMap<string, Value>): Map<string, Value> => new Map([...all].map(([id, value]) => [of(id), value]));
  const routes = new Map([...layout.routes].map(([id, route]) => [renamedArrow(id, names), route]));
  return { ...layout, boxes: byBox(layout.boxes), columns: byBox(layout.columns), routes };
}

export function renamedArrow(id: string, names: ReadonlyMap<string, string>): string {
  return id
    .split('→')
    .map((end) => names.get(end) ?? end)
    .join('→');
}

/** A model whose boxes stay in the columns that they have in a layout. */
export function inColumns(model: Model, { columns }: Layout): Model {
  return { ...model, boxes: new Map([...model.boxes].map(([id, box]) => [id, { ...box, column: columns.get(id) ?? box.column }])) };
}
