// The picture of a graph as elements: the only place that says what it looks like.

import { pictureStyle, COLORS, type Colors, type Theme } from './colors';
import { classesOf, describe, drawBox, worst } from './boxes';
import { labelWidth, type Band, type Direction, type Layout, type Point, type Rectangle, type Route } from './layout';
import { legible, type Look } from './look';
import { neighbours, type Arrow, type Model } from './model';
import { head, path } from './lines';
import { element, toText, type Element } from './svg';

const BAND_PAD = 16;
/** The room for the title of a band: above a column, at the left of a row. */
const TITLE_ROOM = { right: { x: 0, y: 48 }, down: { x: 84, y: 0 } };

/** The bounds of a picture with the titles of its bands. */
export function withTitles({ x, y, width, height }: Rectangle, direction: Direction): Rectangle {
  const room = TITLE_ROOM[direction];
  return { x: x - room.x - BAND_PAD, y: y - room.y - BAND_PAD, width: width + room.x + 2 * BAND_PAD, height: height + room.y + 2 * BAND_PAD };
}

export interface Picture {
  bands: Map<string, Element>;
  frames: Map<string, Element>;
  arrows: Map<string, Element>;
  boxes: Map<string, Element>;
}

export function draw(model: Model, layout: Layout, look: Look): Picture {
  const bands = new Map(layout.bands.map((band) => [String(band.column), drawBand(model, layout, band, look.zoom)]));
  const needs = neighbours(model.arrows, 'to', 'from');
  const dependents = neighbours(model.arrows, 'from', 'to');
  const [boxes, frames] = [new Map<string, Element>(), new Map<string, Element>()];
  for (const box of model.boxes.values()) {
    const place = layout.boxes.get(box.id);
    if (place) {
      const description = describe(model, box, needs.get(box.id), dependents.get(box.id));
      (box.isExpanded ? frames : boxes).set(box.id, drawBox(box, place, layout.compact, look, description));
    }
  }
  const arrows = new Map<string, Element>();
  // Highlighted arrows are drawn over the others.
  const isLit = (each: Arrow): number => (look.highlight?.arrows.has(each.id) || each.cyclic ? 1 : 0);
  for (const each of [...model.arrows].sort((one, other) => isLit(one) - isLit(other))) {
    const route = layout.routes.get(each.id);
    if (route && route.points.length > 1) {
      arrows.set(each.id, drawArrow(each, route, layout, look));
    }
  }
  return { bands, frames, arrows, boxes };
}

function drawBand(model: Model, { bounds, direction }: Layout, { column, start, size }: Band, zoom: number): Element {
  const room = TITLE_ROOM[direction];
  const place =
    direction === 'right'
      ? { x: start - BAND_PAD, y: bounds.y - room.y, width: size + 2 * BAND_PAD, height: bounds.height + room.y + BAND_PAD }
      : { x: bounds.x - room.x, y: start - BAND_PAD, width: bounds.width + room.x + BAND_PAD, height: size + 2 * BAND_PAD };
  const font = legible(12, zoom, 44);
  const title = { x: place.x + 14, y: place.y + 12 + font, 'font-size': font };
  return element('g', { class: 'band' }, element('rect', { ...place, rx: 12 }), element('text', title, model.columnTitle(column)));
}

function drawArrow(arrow: Arrow, { points, label }: Route, { direction, compact }: Layout, look: Look): Element {
  const isLit = look.highlight?.arrows.has(arrow.id) ?? false;
  const classes = classesOf('arrow', {
    field: arrow.isField,
    cyclic: arrow.cyclic,
    error: worst(arrow.problems) === 'error',
    warning: worst(arrow.problems) === 'warning',
    'on-critical': look.critical && arrow.critical,
    ...(arrow.change ? { [arrow.change]: true } : {}),
    lit: isLit,
    dim: look.highlight !== null && !isLit,
  });
  const line = path(points, direction);
  const children = [
    element('title', {}, toldOf(arrow)),
    element('path', { class: 'line', d: line }),
    element('path', { class: 'head', d: head(points, direction) }),
    element('path', { class: 'hit', d: line }),
  ];
  // Without a place of its own, a label would lie under compact boxes; the details of a box have it too.
  const isMerged = arrow.count > 1;
  if (arrow.label !== '' && (label ? look.labels || isLit || isMerged : (isLit && !compact) || isMerged)) {
    const middle = label ?? middleOf(points, direction);
    const width = labelWidth(arrow.label);
    const back = { class: 'label-back', x: middle.x - width / 2, y: middle.y - 8.5, width, height: 17, rx: 5 };
    children.push(
      element('rect', back),
      element('text', { class: 'label', x: middle.x, y: middle.y + 3.5 }, arrow.label),
    );
  }
  return element('g', { class: classes, 'data-arrow': arrow.id }, ...children);
}

const MOST_TOLD = 12;

function toldOf(arrow: Arrow): string {
  const causes = arrow.causes.slice(0, MOST_TOLD).map((cause) => `${cause.expression} at ${cause.path}`);
  const rest = arrow.causes.length > MOST_TOLD ? [`and ${arrow.causes.length - MOST_TOLD} more`] : [];
  return `${arrow.change ? `${arrow.change}: ` : ''}${arrow.to} reads ${[...causes, ...rest].join('\n')}`;
}

/** The middle of a label that the layout gave no place: near the head, where arrows no longer run together. */
function middleOf(points: readonly Point[], direction: Direction): Point {
  const first = points[0] ?? { x: 0, y: 0 };
  const last = points.at(-1) ?? first;
  const before = points.at(-2) ?? first;
  if (points.length < 3) {
    return { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 };
  }
  return direction === 'right' ? { x: (before.x + last.x) / 2, y: last.y } : { x: last.x, y: (before.y + last.y) / 2 };
}

/** The whole picture as an SVG document, for a file: both themes where none is named. */
export function document(model: Model, layout: Layout, look: Look, theme: Theme | null, colors?: Colors): string {
  const margin = 28;
  const { bands, frames, arrows, boxes } = draw(model, layout, look);
  const bounds = withTitles(layout.bounds, layout.direction);
  const x = bounds.x - margin;
  const y = bounds.y - margin;
  const width = Math.ceil(bounds.width + 2 * margin);
  const height = Math.ceil(bounds.height + 2 * margin);
  const light = pictureStyle(colors ?? COLORS[theme ?? 'light']);
  const dark = theme === null ? `@media (prefers-color-scheme: dark) {${pictureStyle(COLORS.dark)}}` : '';
  const root = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'graph',
      width,
      height,
      viewBox: `${Math.round(x)} ${Math.round(y)} ${width} ${height}`,
      role: 'img',
      'aria-label': `Dependency graph of ${model.title}`,
    },
    element('title', {}, `Dependency graph of ${model.title}`),
    element('style', {}, light + dark),
    element('rect', { class: 'background', x, y, width, height }),
    element('g', {}, ...bands.values()),
    element('g', {}, ...frames.values()),
    element('g', {}, ...arrows.values()),
    element('g', {}, ...boxes.values()),
  );
  return `${toText(root)}\n`;
}
