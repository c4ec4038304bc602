// What is seen of the resources of a graph: each in a box of its own, or in that of its collapsed group. Whatever is selected,
// found or bright is a box.

import { Finder } from './finder';
import type { Grouper } from './grouper';
import { brightOf, ofStandIns, type Highlight } from './highlight';
import type { Layout, Size } from './layout';
import type { Wanted } from './layouts';
import { boxAt, modelOf, NOTHING, type Box, type Order } from './model';
import { inColumns } from './renames';
import type { Graph, Position } from './wire';

export class Scene {
  /** What is to be shown: with groups where there are any. */
  model = NOTHING;
  /** All resources, each by itself. */
  #full = NOTHING;
  /** The boxes that others are folded into. */
  readonly folded = new Set<string>();
  readonly #finder = new Finder();
  selected: string | null = null;
  /** Where the ways end that are marked from the selected box. */
  #pathEnd: string | null = null;

  constructor(readonly grouper: Grouper) {}

  /** Shows a graph in the groups that suit a pane, and in the columns of a layout where they are held. */
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

  /** The box that a resource is seen in; null where it is not seen. */
  #standIn(id: string): string | null {
    const found = this.grouper.standIn.get(id) ?? id;
    return this.model.boxes.has(found) ? found : null;
  }

  /** The box in which the resource at a place of the document is seen. */
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

  /** Marks the ways between the selected box and another one. */
  markPath(end: string): void {
    this.#pathEnd = end;
  }

  /** Searches resources, and returns what there is to say about it. */
  search(written: string): string {
    return this.#finder.search(this.#full, written);
  }

  /** The boxes in which the resources that were found are seen. */
  get found(): Set<string> {
    return new Set(this.#finder.hits.map((id) => this.#standIn(id)).filter((id) => id !== null));
  }

  /** The resource that was found after the one that is selected, or the first. */
  get nextFound(): string | null {
    return this.#finder.next(this.selected);
  }

  /** Folds what depends on a box alone into it, or unfolds it. */
  fold(id: string): void {
    if (!this.folded.delete(id)) {
      this.folded.add(id);
    }
  }

  /** Has the selection stay with boxes that have other ids now. */
  rename(names: ReadonlyMap<string, string>): void {
    this.selected = names.get(this.selected ?? '') ?? this.selected;
    this.#pathEnd = names.get(this.#pathEnd ?? '') ?? this.#pathEnd;
  }

  /** What stays bright: what the selection has to do with, or else the longest chain where it `isMarked`. Null: everything. */
  highlight(isMarked: boolean): Highlight | null {
    const found = brightOf(this.#full, this.model, this.selected, this.#pathEnd, isMarked);
    return found && ofStandIns(found, this.#full, this.model, this.grouper.standIn);
  }
}
