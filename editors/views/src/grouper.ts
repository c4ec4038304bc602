// The groups that are shown: as the user chose, or by themselves where the boxes would be too small to read.

import { scaleOf } from './arrangement';
import { grouped, groupId, groupsOf, NO_GROUPS, standIns, type GroupBy, type Groups } from './grouping';
import { MANY_BOXES, type Size } from './layout';
import type { Model } from './model';

export type Choice = 'auto' | GroupBy;
const CHOICES: readonly Choice[] = ['auto', 'prefix', 'apiGroup', 'namespace', 'none'];

export function nextChoice(choice: Choice): Choice {
  return CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length] ?? 'auto';
}

/** Below this scale, ids are under 9 pixels high. */
const READABLE = 0.66;
/** The arrows between many boxes take an amount of room that is unknown until they are laid out. */
const MANY_READABLE = 0.86;
const FEWEST = 24;
/** The arrows of more boxes than this are hard to follow, however large the pane is. */
const MOST = 100;
/** The best first; the next one is taken where it does not help. */
const CANDIDATES: readonly GroupBy[] = ['prefix', 'namespace', 'apiGroup'];
/** A group of more than this share of the resources shows too little. */
const LARGEST_SHARE = 0.6;
/** So many more or fewer resources are worth another choice. */
const CHANGED = 0.25;

export class Grouper {
  readonly expanded = new Set<string>();
  choice: Choice = 'auto';
  groups: Groups = NO_GROUPS;
  #chosenFor = 0;
  #chosen: GroupBy = 'none';

  /** The model with the groups that are chosen, and with all of them collapsed. */
  update(model: Model, pane: Size): { model: Model; base: Model } {
    this.groups = groupsOf(model, this.choice === 'auto' ? this.#automatic(model, pane) : this.choice);
    const base = grouped(model, this.groups, new Set());
    return { model: this.expanded.size ? grouped(model, this.groups, this.expanded) : base, base };
  }

  /** What stands for resources that are in collapsed groups. */
  get standIn(): Map<string, string> {
    return standIns(this.groups, this.expanded);
  }

  get isAllExpanded(): boolean {
    return this.groups.members.size > 0 && [...this.groups.members.keys()].every((title) => this.expanded.has(groupId(title)));
  }

  /** Expands a group, or collapses it. */
  toggle(id: string): void {
    if (!this.expanded.delete(id)) {
      this.expanded.add(id);
    }
  }

  /** Expands all groups, or collapses them where they are all expanded. */
  toggleAll(): void {
    const isAllExpanded = this.isAllExpanded;
    this.expanded.clear();
    if (!isAllExpanded) {
      [...this.groups.members.keys()].forEach((title) => this.expanded.add(groupId(title)));
    }
  }

  /** Has the automatic choice be made again, as for another pane or another definition. */
  reconsider(): void {
    this.#chosenFor = 0;
  }

  #automatic(model: Model, pane: Size): GroupBy {
    const count = model.boxes.size;
    if (Math.abs(count - this.#chosenFor) > CHANGED * this.#chosenFor) {
      this.#chosenFor = count;
      this.#chosen = automatic(model, pane);
    }
    return this.#chosen;
  }
}

/** The groups with which a picture can be read in a pane; none where it can be read as it is. */
export function automatic(model: Model, pane: Size): GroupBy {
  const count = [...model.boxes.values()].filter((box) => box.type !== 'Field').length;
  const scale = scaleOf(model, pane);
  if (count < FEWEST || (count <= MOST && scale >= (count > MANY_BOXES ? MANY_READABLE : READABLE))) {
    return 'none';
  }
  let best: { by: GroupBy; scale: number } = { by: 'none', scale };
  for (const by of CANDIDATES) {
    const groups = groupsOf(model, by);
    const largest = Math.max(0, ...[...groups.members.values()].map((each) => each.length));
    if (groups.members.size < 2 || largest > count * LARGEST_SHARE) {
      continue;
    }
    const found = scaleOf(grouped(model, groups, new Set()), pane);
    if (found >= READABLE) {
      return by;
    }
    best = found > best.scale ? { by, scale: found } : best;
  }
  return best.by;
}
