// Which part of the picture is seen when it was laid out anew: what the user looks at is not moved away.

import type { Layout } from './layout';
import type { Model } from './model';
import { fittedBounds } from './titles';
import type { Viewport } from './viewport';

/** If all is shown smaller than this after a group was expanded, the scale stays as it was. */
const READABLE = 0.7;

/** Shows everything. */
export function fit(viewport: Viewport, model: Model, layout: Layout): void {
  viewport.fit(fittedBounds(model, layout, (bounds) => viewport.scaleFor(bounds)));
}

/** Shows a new layout: all of it, or else what was seen of the previous one; and the box that the user `awaited`, if any. */
export function aim(
  viewport: Viewport,
  model: Model,
  before: Layout | null,
  layout: Layout,
  awaited: string | null,
  selected: string | null,
): void {
  const scaleFor = viewport.scaleFor.bind(viewport);
  const isExpanded = [...model.boxes.values()].some((box) => box.isExpanded);
  const isSmall = awaited !== null && isExpanded && scaleFor(fittedBounds(model, layout, scaleFor)) < READABLE;
  // Where groups were expanded and are all collapsed again, the picture is fitted as it was before.
  const stays = awaited === null || isExpanded ? viewport.moved : viewport.movedByUser;
  if (before && (stays || isSmall)) {
    // What the user looks at stays where it is, whatever moves around it.
    keepPlace(viewport, before, layout, [awaited, selected]);
  } else {
    fit(viewport, model, layout);
  }
  const place = layout.boxes.get(awaited ?? (viewport.moved ? '' : (selected ?? '')));
  const frame = layout.boxes.get(model.boxes.get(awaited ?? '')?.parent ?? '');
  if (place) {
    viewport.showWithin(place, frame, READABLE);
  }
}

/** Moves the picture such that a box is where it was: the first of some that both layouts have, else any. */
function keepPlace(viewport: Viewport, before: Layout, now: Layout, ids: readonly (string | null)[]): void {
  const kept = [...ids, ...before.boxes.keys()].find((id) => id !== null && before.boxes.has(id) && now.boxes.has(id)) ?? '';
  const [old, place] = [before.boxes.get(kept), now.boxes.get(kept)];
  if (old && place) {
    viewport.moved = true;
    viewport.shift((old.x - place.x) * viewport.scale, (old.y - place.y) * viewport.scale);
  }
}
