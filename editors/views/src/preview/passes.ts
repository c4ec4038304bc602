// What is true after a pass: a pass lists only what changed.

import type { MadeObject, Pass, PlacedText, Preview, State } from '../wire';

export interface NodeAtPass {
  state: State;
  objects: number;
  reason?: string;
  kro?: string;
}

/** An object as it is after a pass; passes are counted from 0 on. */
export interface ObjectAtPass extends PlacedText {
  node: string;
  name: string;
  /** Null for what no pass applied, as when two nodes want the same object. */
  created: number | null;
  updated: number | null;
  /** What the last pass that concerned it did. */
  deed: 'created' | 'updated' | 'deleted' | null;
  /** Its text before the last update. */
  before: string | null;
}

export class PassStates {
  readonly passes: readonly Pass[];
  readonly #nodes: Map<string, NodeAtPass>[] = [];
  readonly #objects: ObjectAtPass[][] = [];

  constructor({ passes = [], objects = [], nodes = [] }: Pick<Preview, 'passes' | 'objects' | 'nodes'>) {
    this.passes = passes;
    let states = new Map<string, NodeAtPass>();
    for (const pass of passes) {
      states = new Map(states);
      pass.nodes.forEach(({ id, ...state }) => states.set(id, state));
      this.#nodes.push(states);
    }
    const places = new Map(nodes.map(({ id }, number) => [id, number]));
    const final = new Map(objects.map((each) => [keyOf(each.node, each.name), each]));
    const known = new Map<string, ObjectAtPass>();
    passes.forEach((pass, number) => {
      replay(pass, number, known, final);
      if (number === passes.length - 1) {
        addNeverApplied(known, final);
      }
      this.#objects.push([...known.values()].sort((one, other) => (places.get(one.node) ?? 0) - (places.get(other.node) ?? 0)));
    });
  }

  node(number: number, id: string): NodeAtPass | undefined {
    return this.#nodes[number]?.get(id);
  }

  /** The states of a node, pass by pass. */
  history(id: string): (State | null)[] {
    return this.#nodes.map((states) => states.get(id)?.state ?? null);
  }

  /** The objects that are there after a pass, and those that it deleted. */
  objects(number: number): readonly ObjectAtPass[] {
    return this.#objects[number] ?? [];
  }
}

/** Brings the objects to what they are after a pass. */
function replay(pass: Pass, number: number, known: Map<string, ObjectAtPass>, final: ReadonlyMap<string, PlacedText>): void {
  for (const [key, each] of known) {
    if (each.deed === 'deleted') {
      known.delete(key);
    }
  }
  const made = (each: MadeObject): PlacedText => {
    const { text, lines } = each.text === undefined ? (final.get(keyOf(each.node, each.object)) ?? { text: '', lines: [] }) : each;
    return { text: text ?? '', lines: lines ?? [] };
  };
  for (const each of pass.created) {
    known.set(keyOf(each.node, each.object), {
      node: each.node,
      name: each.object,
      ...made(each),
      created: number,
      updated: null,
      deed: 'created',
      before: null,
    });
  }
  for (const each of pass.updated) {
    const old = known.get(keyOf(each.node, each.object));
    known.set(keyOf(each.node, each.object), {
      node: each.node,
      name: each.object,
      ...made(each),
      created: old?.created ?? null,
      updated: number,
      deed: 'updated',
      before: old?.text ?? null,
    });
  }
  for (const each of pass.deleted) {
    const old = known.get(keyOf(each.node, each.object));
    if (old) {
      known.set(keyOf(each.node, each.object), { ...old, updated: number, deed: 'deleted' });
    }
  }
}

function addNeverApplied(known: Map<string, ObjectAtPass>, final: ReadonlyMap<string, PlacedText & { node: string; name: string }>): void {
  for (const [key, each] of final) {
    if (!known.has(key)) {
      known.set(key, { ...each, created: null, updated: null, deed: null, before: null });
    }
  }
}

function keyOf(node: string, name: string): string {
  return `${node} ${name}`;
}

/** What a pass did, for people; where kro refuses the definition, what it would do. */
export function deeds(pass: Pass): string {
  const counts: [number, string][] = [
    [pass.created.length, 'create'],
    [pass.updated.length, 'update'],
    [pass.deleted.length, 'delete'],
  ];
  const nonzero = counts.filter(([count]) => count > 0);
  if (nonzero.length === 0) {
    return 'nothing to do';
  }
  return isRefused(pass)
    ? `would ${nonzero.map(([count, word]) => `${word} ${count}`).join(', ')}`
    : nonzero.map(([count, word]) => `${count} ${word}d`).join(', ');
}

/** Whether a pass never takes place, because kro refuses the definition. */
export function isRefused({ state }: Pass): boolean {
  return state === 'REFUSED';
}

/** The pass to show of a new preview: the one that was shown, as long as the user looks at one that is not the last. */
export function passToShow(before: number, beforeCount: number, preview: Preview): number {
  const count = preview.passes?.length ?? 0;
  const wasLast = before >= beforeCount - 1;
  return Math.max(wasLast ? count - 1 : Math.min(before, count - 1), 0);
}
