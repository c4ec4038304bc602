// Which layout is found when: at once in the places that are known, and again when ELK has found better ones.

import { arrange, structure, type Arrangement } from './arrangement';
import { LayoutEngine, LayoutTimeout, type WorkerLike } from './elk';
import { frames, membersOf } from './frames';
import { grid, isLoose } from './grid';
import { EMPTY, MANY_BOXES, type Layout, type Size } from './layout';
import type { Model } from './model';
import { nested } from './nested';
import { quick } from './quick';

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 1000;
/** The part of the pane that the members of one expanded group are arranged for. */
const PART = { width: 0.72, height: 0.6 };
const MOST_KEPT = 64;

/** What is to be laid out: a model, and the same one with all of its groups collapsed. */
export interface Wanted {
  model: Model;
  base: Model;
}

/** Receives each layout that ELK found, or the error where there is none, with the model it belongs to. */
export interface Watcher {
  pane(): Size;
  placed(model: Model, layout: Layout): void;
  failed(model: Model, error: unknown): void;
}

export class Layouts {
  readonly #engine;
  readonly #kept = new Map<string, Layout>();
  #wanted: Wanted | null = null;
  #arrangements: Arrangement[] = [];
  #structure = '';
  #isRunning = false;
  #changedAt = 0;

  constructor(
    makeWorker: () => WorkerLike,
    readonly watcher: Watcher,
  ) {
    this.#engine = new LayoutEngine(makeWorker);
  }

  /** Whether a layout is to be shown that has not been found yet. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /**
   * Has a layout be found, and returns the one until then; null where there is none yet. What the user `isAsking` for is not
   * shown before it is found, and what is typed is found after a pause. While there is a cycle, which is mostly a slip that the
   * next key mends, everything `stays`.
   */
  update(
    wanted: Wanted,
    before: Layout | null,
    labels: boolean,
    { isAsking, stays }: { isAsking: boolean; stays: boolean },
  ): Layout | null {
    const arrangements = arrange(wanted.base, this.watcher.pane(), labels, isAsking ? null : before);
    const named = [
      structure(wanted.base, arrangements),
      ...frames(wanted.model).map((each) => structure(membersOf(wanted.model, each), [])),
    ].join('\n');
    this.#changedAt = isAsking ? -LONGEST_PAUSE : performance.now();
    if (named === this.#structure) {
      this.#wanted = wanted;
      return before;
    }
    this.#structure = named;
    this.#wanted = wanted;
    this.#arrangements = arrangements;
    const found =
      !isAsking && (before || wanted.model.boxes.size > MANY_BOXES)
        ? quick(wanted.model, before ?? { ...EMPTY, ...arrangements[0] })
        : null;
    if (!before || !stays || isAsking) {
      void this.#run(before !== null);
    }
    return found;
  }

  async #run(waits: boolean): Promise<void> {
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    for (let done = ''; done !== this.#structure; waits = true) {
      if (waits) {
        await this.#pause();
      }
      done = this.#structure;
      const wanted = this.#wanted as Wanted;
      try {
        const layout = await layoutOf(wanted, this.#arrangements, this.watcher.pane(), (...asked) => this.#layout(...asked));
        if (done === this.#structure) {
          this.watcher.placed((this.#wanted as Wanted).model, layout);
        }
      } catch (error) {
        this.watcher.failed(wanted.model, error);
      }
    }
    this.#isRunning = false;
  }

  /** The layout of a model; it is kept, so that a group that is expanded leaves everything else where it is. */
  async #layout(model: Model, arrangements: readonly Arrangement[], pane: Size): Promise<Layout> {
    const key = [structure(model, arrangements), ...model.arrows.map((each) => each.label)].join('\n');
    const known = this.#kept.get(key);
    if (known) {
      return known;
    }
    const found = await this.#engine.layout(model, arrangements, pane);
    if (this.#kept.size >= MOST_KEPT) {
      this.#kept.clear();
    }
    this.#kept.set(key, found);
    return found;
  }

  /**
   * Waits until nothing has changed for a while, the longer the more a layout costs: whoever types is not kept from the
   * next key by a layout that it would make out of date.
   */
  async #pause(): Promise<void> {
    const wanted = Math.min(Math.max(2 * this.#engine.took, SHORTEST_PAUSE), LONGEST_PAUSE);
    const rest = (): number => this.#changedAt + wanted - performance.now();
    while (rest() > 0) {
      await new Promise((resolve) => setTimeout(resolve, rest()));
    }
  }
}

/** Finds the layout of a model that has no frames. */
type Find = (model: Model, arrangements: readonly Arrangement[], pane: Size) => Promise<Layout>;

/** The layout of a picture, and of the members of each expanded group in it. */
export async function layoutOf({ model, base }: Wanted, arrangements: readonly Arrangement[], pane: Size, find: Find): Promise<Layout> {
  const outer = isLoose(base) ? grid(base, pane) : await find(base, arrangements, pane);
  const part = { width: pane.width * PART.width, height: pane.height * PART.height };
  const inner = new Map<string, Layout>();
  for (const id of frames(model)) {
    const members = membersOf(model, id);
    inner.set(id, isLoose(members) ? grid(members, part, outer) : await find(members, arrange(members, part, false, null, outer), part));
  }
  return nested(model, outer, inner);
}

export { LayoutTimeout };
