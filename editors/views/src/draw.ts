// The picture of a graph as elements: the only place that says what it looks like.

import { pictureStyle, COLORS, type Colors, type Theme } from './colors';
import { briefSize, classesOf, describe, drawBox, frameBack, worst } from './boxes';
import { labelPlace, labelSize, placeLabels } from './labels';
import { FRAME, type Band, type Direction, type FrameBand, type Layout, type Point, type Route } from './layout';
import type { Look } from './look';
import { neighbours, type Arrow, type Model } from './model';
import { head, path } from './lines';
import { element, toText, type Element } from './svg';
import { BAND_PAD, shortTitle, titlesOf, titleWidth, withTitles, type Titles } from './titles';

/** Below this, the titles of columns in frames are too small to read. */
const FRAME_TITLES = 0.6;
const FRAME_TITLE = 10;
/** The room between the side of a frame and its members. */
const FRAME_TITLE_ROOM = FRAME.down.left - 17;

export interface Picture {
  bands: Map<string, Element>;
  frames: Map<string, Element>;
  arrows: Map<string, Element>;
  boxes: Map<string, Element>;
}

export function draw(model: Model, layout: Layout, look: Look): Picture {
  const titles = titlesOf(model, layout, look.zoom);
  const bands = new Map(layout.bands.map((band) => [String(band.column), drawBand(layout, band, titles)]));
  const needs = neighbours(model.arrows, 'to', 'from');
  const dependents = neighbours(model.arrows, 'from', 'to');
  const [boxes, frames] = [new Map<string, Element>(), new Map<string, Element>()];
  for (const box of model.boxes.values()) {
    const place = layout.boxes.get(box.id);
    if (place && box.isExpanded) {
      frames.set(box.id, frameBack(box, place, look));
    }
  }
  for (const band of layout.frameBands) {
    frames.set(`${band.frame} ${band.column}`, drawFrameBand(model, band, layout.direction, look));
  }
  const brief = briefSize(model, layout);
  for (const box of model.boxes.values()) {
    const place = layout.boxes.get(box.id);
    if (place) {
      const description = describe(model, box, needs.get(box.id), dependents.get(box.id));
      boxes.set(box.id, drawBox(box, place, layout.compact, look, description, brief));
    }
  }
  const arrows = new Map<string, Element>();
  // Highlighted arrows are drawn over the others.
  const isLit = (each: Arrow): number => (look.highlight?.arrows.has(each.id) || each.cyclic ? 1 : 0);
  const labels = placeLabels(
    model.arrows.filter((each) => isLabelled(each, layout, look)),
    model,
    layout,
    isMerged,
    look.zoom,
  );
  for (const each of [...model.arrows].sort((one, other) => isLit(one) - isLit(other))) {
    const route = layout.routes.get(each.id);
    if (route && route.points.length > 1) {
      arrows.set(each.id, drawArrow(each, route, labels.get(each.id) ?? null, layout, look));
    }
  }
  return { bands, frames, arrows, boxes };
}

function drawBand({ bounds, direction }: Layout, { column, start, size: long }: Band, { room, size, texts }: Titles): Element {
  const place =
    direction === 'right'
      ? { x: start - BAND_PAD, y: bounds.y - room, width: long + 2 * BAND_PAD, height: bounds.height + room + BAND_PAD }
      : { x: bounds.x - room, y: start - BAND_PAD, width: bounds.width + room + BAND_PAD, height: long + 2 * BAND_PAD };
  const title = { x: place.x + 14, y: place.y + 12 + size, 'font-size': size };
  return element('g', { class: 'band' }, element('rect', { ...place, rx: 12 }), element('text', title, texts.get(column) ?? ''));
}

/** A column of a frame, whose title stands where there is room for it. */
function drawFrameBand(model: Model, { column, place }: FrameBand, direction: Direction, look: Look): Element {
  const at = direction === 'right' ? { x: place.x + 9, y: place.y + 14 } : { x: place.x + 9, y: place.y + place.height / 2 + 4 };
  const whole = model.columnTitle(column);
  const room = direction === 'right' ? place.width - 14 : FRAME_TITLE_ROOM;
  const text = titleWidth(whole, FRAME_TITLE) <= room ? whole : shortTitle(whole);
  const title = look.zoom < FRAME_TITLES ? [] : [element('text', { ...at, 'font-size': FRAME_TITLE }, text)];
  return element('g', { class: 'band inner' }, element('rect', { ...place, rx: 8 }), ...title);
}

/** An arrow that stands for several shows how many. */
function isMerged(arrow: Arrow): boolean {
  return arrow.count > 1;
}

/** Without a place of its own, a label would lie under compact boxes; the details of a box have it too. */
function isLabelled(arrow: Arrow, { routes, compact }: Layout, look: Look): boolean {
  const isLit = look.highlight?.arrows.has(arrow.id) ?? false;
  return arrow.label !== '' && (isMerged(arrow) || (routes.get(arrow.id)?.label ? look.labels || isLit : isLit && !compact));
}

function drawArrow(arrow: Arrow, { points }: Route, middle: Point | null, layout: Layout, look: Look): Element {
  const isLit = look.highlight?.arrows.has(arrow.id) ?? false;
  const classes = classesOf('arrow', {
    field: arrow.isField,
    cyclic: arrow.cyclic,
    error: worst(arrow.problems) === 'error',
    warning: worst(arrow.problems) === 'warning',
    'on-critical': look.critical && arrow.critical,
    ...(arrow.change ? { [arrow.change]: true } : {}),
    lit: isLit,
    dim: look.highlight !== null && !isLit && arrow.change === null,
  });
  const line = path(points, layout);
  const children = [
    element('title', {}, tooltipOf(arrow)),
    element('path', { class: 'line', d: line }),
    element('path', { class: 'head', d: head(points, layout.direction) }),
    element('path', { class: 'hit', d: line }),
  ];
  if (middle) {
    const size = labelSize(arrow, look.zoom);
    children.push(
      element('rect', { class: 'label-back', ...labelPlace(arrow, middle, look.zoom), rx: 5 }),
      element(
        'text',
        {
          class: classesOf('label', { count: isMerged(arrow) }),
          x: middle.x,
          y: middle.y + 0.35 * size,
          'font-size': isMerged(arrow) ? size : null,
        },
        arrow.label,
      ),
    );
  }
  return element('g', { class: classes, 'data-arrow': arrow.id }, ...children);
}

const MAX_CAUSES = 12;

function tooltipOf(arrow: Arrow): string {
  const causes = arrow.causes.slice(0, MAX_CAUSES).map((cause) => `${cause.expression} at ${cause.path}`);
  const rest = arrow.causes.length > MAX_CAUSES ? [`and ${arrow.causes.length - MAX_CAUSES} more`] : [];
  return `${arrow.change ? `${arrow.change}: ` : ''}${arrow.to} reads ${[...causes, ...rest].join('\n')}`;
}

/** The whole picture as an SVG document, for a file: both themes where none is named. */
export function document(model: Model, layout: Layout, look: Look, theme: Theme | null, colors?: Colors): string {
  const margin = 28;
  const { bands, frames, arrows, boxes } = draw(model, layout, look);
  const bounds = withTitles(layout.bounds, layout, titlesOf(model, layout, look.zoom));
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
