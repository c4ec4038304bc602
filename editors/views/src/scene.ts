// The visible resources of a graph: each has a box of its own, or is inside the box of its collapsed group. The selection,
// search results and highlights refer to boxes.

import { Finder } from './finder';
import type { Grouper } from './grouper';
import { brightOf, ofStandIns, type Highlight } from './highlight';
import type { Layout, Size } from './layout';
import type { Wanted } from './layouts';
import { boxAt, modelOf, NOTHING, type Box, type Order } from './model';
import { inColumns } from './renames';
import type { Graph, Position } from './wire';

export class Scene {
  /** The boxes and arrows to show, grouped where there are groups. */
  model = NOTHING;
  /** The same without groups. */
  #full = NOTHING;
  /** The boxes that others are folded into. */
  readonly folded = new Set<string>();
  readonly #finder = new Finder();
  selected: string | null = null;
  /** The end of the paths that are marked from the selected box. */
  #pathEnd: string | null = null;

  constructor(readonly grouper: Grouper) {}

  /** Takes a new graph, grouped to fit a pane; with a `held` layout, its boxes stay in the columns of that layout. */
  update(graph: Graph, order: Order, held: Layout | null, pane: Size): Wanted {
    const full = modelOf(graph, this.folded, order);
    this.#full = held ? inColumns(full, held) : full;
    const wanted = this.grouper.update(this.#full, pane);
    this.model = wanted.model;
    if (this.selected !== null && !this.model.boxes.has(this.selected)) {
      this.selected = this.#standIn(this.selected);
    }
    return wanted;
  }

  /** The visible box of a resource, null if it has none. */
  #standIn(id: string): string | null {
    const found = this.grouper.standIn.get(id) ?? id;
    return this.model.boxes.has(found) ? found : null;
  }

  /** The visible box of the resource at a position in the document. */
  boxAt(position: Position): string | null {
    const found = boxAt(this.#full, position);
    return found ? this.#standIn(found.id) : null;
  }

  box(id: string | null): Box | undefined {
    return this.model.boxes.get(id ?? '');
  }

  select(id: string | null): void {
    this.selected = id;
    this.#pathEnd = null;
  }

  /** Marks the paths between the selected box and another one. */
  markPath(end: string): void {
    this.#pathEnd = end;
  }

  /** Searches the resources and returns a summary of the result. */
  search(written: string): string {
    return this.#finder.search(this.#full, written);
  }

  /** The visible boxes of the resources that were found. */
  get found(): Set<string> {
    return new Set(this.#finder.hits.map((id) => this.#standIn(id)).filter((id) => id !== null));
  }

  /** The next search result after the selection, or the first one. */
  get nextFound(): string | null {
    return this.#finder.next(this.selected);
  }

  /** Folds what depends on a box alone into it, or unfolds it. */
  fold(id: string): void {
    if (!this.folded.delete(id)) {
      this.folded.add(id);
    }
  }

  /** Keeps the selection on boxes whose ids have changed. */
  rename(names: ReadonlyMap<string, string>): void {
    this.selected = names.get(this.selected ?? '') ?? this.selected;
    this.#pathEnd = names.get(this.#pathEnd ?? '') ?? this.#pathEnd;
  }

  /** What stays bright: what is related to the selection, or else the longest chain if it `isMarked`. Null means everything. */
  highlight(isMarked: boolean): Highlight | null {
    const found = brightOf(this.#full, this.model, this.selected, this.#pathEnd, isMarked);
    return found && ofStandIns(found, this.#full, this.model, this.grouper.standIn);
  }
}
