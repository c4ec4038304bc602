// What is told of the selected box beside the picture.

import { html } from './chrome';
import type { Cause, Range } from './data';
import { counted, objects } from './draw';
import type { Point, Rectangle, Size } from './layout';
import type { Box, Model } from './model';

const CORNERS = ['bottom right', 'bottom left', 'top right', 'top left'] as const;
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
    return (overlaps(box, place) ? others.length + 1 : 0) + others.filter((each) => overlaps(each, place)).length;
  };
  const known = CORNERS.find((corner) => corner === previous);
  if (known && !overlaps(box, placeOf(known, panel, canvas))) {
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
  if (!overlaps(box, panel)) {
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

function overlaps(one: Rectangle, other: Rectangle): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

export function detailsOf(box: Box, model: Model, reveal: (range: Range) => void): Node[] {
  const { state } = box;
  const told = state ? [html('p', {}, `${state.state}, ${objects(state.objects)}${state.reason ? `: ${state.reason}` : ''}`)] : [];
  const needs = model.arrows.filter((each) => each.to === box.id).flatMap((each) => each.causes);
  const users = model.arrows.filter((each) => each.from === box.id).flatMap((each) => each.causes.map((cause) => ({ ...cause, by: each.to })));
  return [
    html('h2', {}, box.title),
    html('p', {}, [box.subtitle, box.column === null ? '' : model.columnTitle(box.column)].filter(Boolean).join(' · ')),
    ...told,
    ...problemsOf(box, reveal),
    ...list('Reads', needs, (cause) => cause.path, reveal),
    ...list('Read by', users, (cause) => `${cause.by} · ${cause.path}`, reveal),
  ];
}

function problemsOf(box: Box, reveal: (range: Range) => void): Node[] {
  if (box.problems.length === 0) {
    return [];
  }
  const items = box.problems.map((problem) => {
    const line = html('button', { type: 'button', class: `problem of-${problem.severity}` }, problem.message);
    line.addEventListener('click', () => {
      reveal(problem.range);
    });
    return html('li', {}, line);
  });
  return [html('h3', {}, counted(box.problems)), html('ul', {}, ...items)];
}

function list<Each extends Cause>(title: string, causes: Each[], where: (cause: Each) => string, reveal: (range: Range) => void): Node[] {
  if (causes.length === 0) {
    return [];
  }
  const items = causes.map((cause) => {
    const line = html('button', { type: 'button' }, html('code', {}, cause.expression), html('small', {}, where(cause)));
    line.addEventListener('click', () => {
      reveal(cause.range);
    });
    return html('li', {}, line);
  });
  return [html('h3', {}, title), html('ul', {}, ...items)];
}
