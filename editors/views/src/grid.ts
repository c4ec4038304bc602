// Boxes without arrows: rows that are read like a text, in the order of the definition.

import { READABLE } from './arrangement';
import type { Part } from './frames';
import { finished, GAPS, sizeOf, type Direction, type Layout, type Rectangle, type Size } from './layout';
import type { Model } from './model';

/** The room for the title of the one column that there is. */
const TITLE = 40;
const MOST_COLUMNS = 40;

/** Whether there are boxes, and nothing leads from one to another, nor out of the part that they are. */
export function isLoose(model: Model | Part): boolean {
  return model.boxes.size > 0 && model.arrows.length === 0 && !('gates' in model && model.gates.into.size + model.gates.out.size > 0);
}

/** Rows and columns in which the boxes are as large as they can be in a pane; `within` is the picture around them. */
export function grid(model: Model, pane: Size, within: Pick<Layout, 'direction' | 'compact'> | null = null): Layout {
  const looks = within ? [within.compact] : [false, true];
  const found = looks.map((compact) => best(model, pane, compact, within?.direction ?? 'right'));
  return (found.find(({ scale }) => scale >= READABLE) ?? found.reduce((one, other) => (other.scale > one.scale ? other : one))).layout;
}

function best(model: Model, pane: Size, compact: boolean, direction: Direction): { layout: Layout; scale: number } {
  const counts = Array.from({ length: Math.min(model.boxes.size, MOST_COLUMNS) }, (_, number) => number + 1);
  const all = counts.map((columns) => {
    const layout = inRows(model, columns, compact, direction);
    return { layout, scale: Math.min(pane.width / layout.bounds.width, pane.height / (layout.bounds.height + TITLE)) };
  });
  return all.reduce((one, other) => (other.scale > one.scale ? other : one));
}

/** As many columns as are wanted, each as wide as its widest box. */
function inRows(model: Model, columns: number, compact: boolean, direction: Direction): Layout {
  const gap = GAPS[compact ? 'compact' : 'full'].boxGap;
  const sizes = [...model.boxes.values()].map((box) => sizeOf(box, compact));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...sizes.filter((_, number) => number % columns === column).map(({ width }) => width)),
  );
  const height = Math.max(...sizes.map((each) => each.height));
  const lefts = widths.map((_, column) => widths.slice(0, column).reduce((sum, width) => sum + width + gap, 0));
  const boxes = new Map(
    [...model.boxes.keys()].map((id, number): [string, Rectangle] => {
      const column = number % columns;
      const place = {
        x: lefts[column] ?? 0,
        y: Math.floor(number / columns) * (height + gap),
        width: widths[column] ?? 0,
        height: sizes[number]?.height ?? height,
      };
      return [id, place];
    }),
  );
  return finished(model, { direction, compact, labels: false }, boxes, new Map());
}
