// What stays where it is: the panel with the details never covers the box that it tells of, and a new layout moves nothing away.

import { overlap } from './labels';
import type { Layout, Point, Rectangle, Size } from './layout';
import type { Viewport } from './viewport';

/** At the bottom right are the map and the buttons that zoom. */
const CORNERS = ['top right', 'bottom left', 'top left'] as const;
type Corner = (typeof CORNERS)[number];
/** How far the panel stands from the edges, as the style has it. */
const MARGIN = 14;

/**
 * The corner of the canvas for a panel, all in pixels of the screen: above all it does not cover the box that it tells of, and
 * then it covers the fewest of the others. The previous corner stays where it will do.
 */
export function freestCorner(panel: Size, canvas: Size, box: Rectangle, others: readonly Rectangle[], previous: string): Corner {
  const cost = (corner: Corner): number => {
    const place = placeOf(corner, panel, canvas);
    return (overlap(box, place) ? others.length + 1 : 0) + others.filter((each) => overlap(each, place)).length;
  };
  const known = CORNERS.find((corner) => corner === previous);
  if (known && !overlap(box, placeOf(known, panel, canvas))) {
    return known;
  }
  return [...CORNERS].sort((one, other) => cost(one) - cost(other))[0] ?? CORNERS[0];
}

export function placeOf(corner: Corner, panel: Size, canvas: Size): Rectangle {
  const x = corner.endsWith('left') ? MARGIN : canvas.width - MARGIN - panel.width;
  const y = corner.startsWith('top') ? MARGIN : canvas.height - MARGIN - panel.height;
  return { x, y, ...panel };
}

/** By how much a box must move, so that a panel does not cover it; it stays in the canvas where there is room. */
export function wayOut(box: Rectangle, panel: Rectangle, canvas: Size): Point {
  if (!overlap(box, panel)) {
    return { x: 0, y: 0 };
  }
  const ways = [
    { x: panel.x - MARGIN - box.x - box.width, y: 0 },
    { x: panel.x + panel.width + MARGIN - box.x, y: 0 },
    { x: 0, y: panel.y - MARGIN - box.y - box.height },
    { x: 0, y: panel.y + panel.height + MARGIN - box.y },
  ];
  const outside = ({ x, y }: Point): number =>
    Math.max(-(box.x + x), 0) +
    Math.max(-(box.y + y), 0) +
    Math.max(box.x + x + box.width - canvas.width, 0) +
    Math.max(box.y + y + box.height - canvas.height, 0);
  const length = ({ x, y }: Point): number => Math.abs(x) + Math.abs(y);
  return [...ways].sort((one, other) => outside(one) - outside(other) || length(one) - length(other))[0] ?? { x: 0, y: 0 };
}

/**
 * Puts a panel where it covers the least of what is bright, and moves the picture where it would still cover the place of
 * the selected box.
 */
export function keepClear(panel: HTMLElement, viewport: Viewport, place: Rectangle, bright: readonly Rectangle[]): void {
  const size = { width: panel.offsetWidth, height: panel.offsetHeight };
  const canvas = { width: viewport.svg.clientWidth, height: viewport.svg.clientHeight };
  const box = viewport.onScreen(place);
  const corner = freestCorner(size, canvas, box, bright.map((each) => viewport.onScreen(each)), panel.className);
  panel.className = corner;
  const { x, y } = wayOut(box, placeOf(corner, size, canvas), canvas);
  if (x !== 0 || y !== 0) {
    viewport.pan(x, y);
  }
}

/** Moves the picture such that a box is where it was: the first of some that both layouts have, else any. */
export function keepPlace(viewport: Viewport, before: Layout, now: Layout, ids: readonly (string | null)[]): void {
  const kept = [...ids, ...before.boxes.keys()].find((id) => id !== null && before.boxes.has(id) && now.boxes.has(id)) ?? '';
  const [old, place] = [before.boxes.get(kept), now.boxes.get(kept)];
  if (old && place) {
    viewport.pan((old.x - place.x) * viewport.scale, (old.y - place.y) * viewport.scale);
  }
}
