// What is true after a pass: a pass tells only what became different.

import type { Pass, Preview, State } from './data';

export interface NodeAtPass {
  state: State;
  objects: number;
  reason: string;
}

export class PassStates {
  readonly #states: Map<string, NodeAtPass>[] = [];
  /** In which pass, from 0 on, an object was created, by node and name. */
  readonly #created = new Map<string, number>();
  readonly #deleted = new Map<string, number>();

  constructor(readonly passes: readonly Pass[]) {
    let known = new Map<string, NodeAtPass>();
    passes.forEach((pass, number) => {
      known = new Map(known);
      pass.nodes.forEach(({ id, ...state }) => known.set(id, state));
      this.#states.push(known);
      pass.created.forEach((each) => {
        this.#created.set(keyOf(each.node, each.object), number);
        this.#deleted.delete(keyOf(each.node, each.object));
      });
      pass.deleted.forEach((each) => this.#deleted.set(keyOf(each.node, each.object), number));
    });
  }

  node(number: number, id: string): NodeAtPass | undefined {
    return this.#states[number]?.get(id);
  }

  /** The states of a node, pass by pass. */
  history(id: string): (State | null)[] {
    return this.#states.map((states) => states.get(id)?.state ?? null);
  }

  /** The pass, from 0 on, that created an object; null for what was there before. */
  createdIn(node: string, name: string): number | null {
    return this.#created.get(keyOf(node, name)) ?? null;
  }

  exists(number: number, node: string, name: string): boolean {
    const key = keyOf(node, name);
    return (this.#created.get(key) ?? 0) <= number && (this.#deleted.get(key) ?? Infinity) > number;
  }
}

function keyOf(node: string, name: string): string {
  return `${node} ${name}`;
}

/** What a pass did, for people. */
export function deeds(pass: Pass): string {
  const counts: [number, string][] = [
    [pass.created.length, 'created'],
    [pass.updated.length, 'updated'],
    [pass.deleted.length, 'deleted'],
  ];
  const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return told.length ? told.join(', ') : 'nothing to do';
}

/** The pass to show of a new preview: the one that was shown, as long as the user looks at one that is not the last. */
export function passToShow(before: number, beforeCount: number, preview: Preview): number {
  const count = preview.passes?.length ?? 0;
  const wasLast = before >= beforeCount - 1;
  return Math.max(wasLast ? count - 1 : Math.min(before, count - 1), 0);
}
