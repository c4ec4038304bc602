// What stays bright in the picture: what a box has to do with, ways between boxes, the longest chain.

import { mergedId } from './grouping';
import { neighbours, type Arrow, type Model } from './model';

export interface Highlight {
  boxes: Set<string>;
  arrows: Set<string>;
}

/**
 * What stays bright among all resources: what the selected box of the shown picture has to do with, the ways from there to
 * another box, or else the longest chain where it `isMarked`. Null where everything does.
 */
export function brightOf(model: Model, shown: Model, selected: string | null, end: string | null, isMarked: boolean): Highlight | null {
  if (selected === null) {
    return isMarked && model.boxes.size > 1 ? critical(model) : null;
  }
  const some = resourcesOf(shown, selected);
  return end === null ? around(model, some) : between(model, some, resourcesOf(shown, end));
}

/** The resources that a box is, or stands for. */
function resourcesOf(shown: Model, id: string): string[] {
  const box = shown.boxes.get(id);
  return box?.type === 'Group' ? box.members.map((member) => member.id) : [id];
}

/** What boxes need and what needs them, through any number of others. */
export function around(model: Model, ids: readonly string[]): Highlight {
  const before = reachable(model.arrows, ids, 'to', 'from');
  const after = reachable(model.arrows, ids, 'from', 'to');
  const arrows = model.arrows.filter(
    (each) => (before.has(each.from) && before.has(each.to)) || (after.has(each.from) && after.has(each.to)),
  );
  return { boxes: new Set([...before, ...after]), arrows: new Set(arrows.map((each) => each.id)) };
}

/** All ways from some boxes to others, in whichever direction there are any; without arrows where there is none. */
export function between(model: Model, some: readonly string[], others: readonly string[]): Highlight {
  for (const [starts, ends] of [
    [some, others],
    [others, some],
  ] as const) {
    const after = reachable(model.arrows, starts, 'from', 'to');
    const reached = ends.filter((end) => after.has(end));
    if (reached.length > 0) {
      const before = reachable(model.arrows, reached, 'to', 'from');
      const boxes = new Set([...after].filter((id) => before.has(id)));
      const arrows = model.arrows.filter((each) => boxes.has(each.from) && boxes.has(each.to));
      return { boxes, arrows: new Set(arrows.map((each) => each.id)) };
    }
  }
  return { boxes: new Set([...some, ...others]), arrows: new Set() };
}

/** The boxes and arrows of the longest chain. */
export function critical(model: Model): Highlight {
  return {
    boxes: new Set([...model.boxes.values()].filter((box) => box.critical).map((box) => box.id)),
    arrows: new Set(model.arrows.filter((each) => each.critical).map((each) => each.id)),
  };
}

/** The same in a model with groups: what stands for what is bright, and the frames around it. */
export function ofStandIns({ boxes, arrows }: Highlight, model: Model, shown: Model, standIn: ReadonlyMap<string, string>): Highlight {
  const found = new Set([...boxes].map((id) => standIn.get(id) ?? id));
  for (const id of [...found]) {
    const parent = shown.boxes.get(id)?.parent;
    if (parent) {
      found.add(parent);
    }
  }
  const lit = model.arrows.filter((each) => arrows.has(each.id)).map((each) => mergedId(each, standIn));
  return { boxes: found, arrows: new Set(lit.filter((id) => id !== null)) };
}

function reachable(arrows: readonly Arrow[], starts: readonly string[], at: 'from' | 'to', other: 'from' | 'to'): Set<string> {
  const next = neighbours(arrows, at, other);
  const found = new Set(starts);
  const pending = [...starts];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const each of next.get(id) ?? []) {
      if (!found.has(each)) {
        found.add(each);
        pending.push(each);
      }
    }
  }
  return found;
}
