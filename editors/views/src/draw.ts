// The picture of a graph as elements: the only place that says what it looks like.

import { pictureStyle, COLORS, type Colors, type Theme } from './colors';
import { COMPACT, FULL, labelWidth, type Band, type Direction, type Layout, type Point, type Rectangle, type Route } from './layout';
import { neighbours, type Arrow, type Box, type Highlight, type Model } from './model';
import type { Problem } from './data';
import { head, path } from './lines';
import { element, toText, type Element } from './svg';

export interface Look {
  selected: string | null;
  highlight: Highlight | null;
  found: ReadonlySet<string>;
  labels: boolean;
  critical: boolean;
}

export const PLAIN: Look = { selected: null, highlight: null, found: new Set(), labels: true, critical: false };

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
  arrows: Map<string, Element>;
  boxes: Map<string, Element>;
}

export function draw(model: Model, layout: Layout, look: Look): Picture {
  const bands = new Map(layout.bands.map((band) => [String(band.column), drawBand(model, layout, band)]));
  const needs = neighbours(model.arrows, 'to', 'from');
  const dependents = neighbours(model.arrows, 'from', 'to');
  const boxes = new Map<string, Element>();
  for (const box of model.boxes.values()) {
    const place = layout.boxes.get(box.id);
    if (place) {
      boxes.set(box.id, drawBox(box, place, layout.compact, look, describe(model, box, needs.get(box.id), dependents.get(box.id))));
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
  return { bands, arrows, boxes };
}

function drawBand(model: Model, { bounds, direction }: Layout, { column, start, size }: Band): Element {
  const room = TITLE_ROOM[direction];
  const place =
    direction === 'right'
      ? { x: start - BAND_PAD, y: bounds.y - room.y, width: size + 2 * BAND_PAD, height: bounds.height + room.y + BAND_PAD }
      : { x: bounds.x - room.x, y: start - BAND_PAD, width: bounds.width + room.x + BAND_PAD, height: size + 2 * BAND_PAD };
  const title = { x: place.x + 14, y: place.y + 24 };
  return element('g', { class: 'band' }, element('rect', { ...place, rx: 12 }), element('text', title, model.columnTitle(column)));
}

/** The sentence that a screen reader says of a box. */
export function describe(model: Model, box: Box, needs: readonly string[] = [], dependents: readonly string[] = []): string {
  const type = { Resource: '', Collection: 'collection', External: 'external', ExternalCollection: 'external collection', Field: 'field of the schema' };
  const parts = [
    box.title,
    box.subtitle,
    type[box.type],
    box.conditional ? 'conditional' : '',
    box.column === null ? '' : model.columnTitle(box.column).toLowerCase(),
    box.cyclic ? 'in a cycle' : '',
    counted(box.problems),
    box.state ? `${box.state.state}, ${objects(box.state.objects)}` : '',
    needs.length ? `needs ${needs.join(', ')}` : '',
    dependents.length ? `needed by ${dependents.join(', ')}` : '',
    box.folded ? `${box.folded} folded into it` : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** How many errors and warnings there are, in words; empty where there are none. */
export function counted(problems: readonly Problem[]): string {
  const texts = (['error', 'warning'] as const).map((severity) => {
    const count = problems.filter((each) => each.severity === severity).length;
    return count === 0 ? '' : `${count} ${severity}${count === 1 ? '' : 's'}`;
  });
  return texts.filter((text) => text !== '').join(', ');
}

function worst(problems: readonly Problem[]): Problem['severity'] | null {
  return problems.some((each) => each.severity === 'error') ? 'error' : problems.length > 0 ? 'warning' : null;
}

export function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}

function drawBox(box: Box, place: Rectangle, compact: boolean, look: Look, description: string): Element {
  const { width, height } = place;
  const isField = box.type === 'Field';
  const isExternal = box.type === 'External' || box.type === 'ExternalCollection';
  const classes = classesOf('box', {
    compact,
    field: isField,
    external: isExternal,
    cyclic: box.cyclic,
    error: worst(box.problems) === 'error',
    warning: worst(box.problems) === 'warning',
    'on-critical': look.critical && box.critical,
    ignored: box.state?.state === 'ignored',
    selected: look.selected === box.id,
    found: look.found.has(box.id),
    dim: look.highlight !== null && !look.highlight.boxes.has(box.id),
  });
  const radius = isField ? height / 2 : isExternal ? 18 : 9;
  const children: Element[] = [element('title', {}, box.state?.reason ? `${description}; ${box.state.reason}` : description)];
  if (box.type === 'Collection' || box.type === 'ExternalCollection') {
    for (const shift of [8, 4]) {
      children.push(element('rect', { class: 'card', x: shift, y: shift, width, height, rx: radius }));
    }
  }
  children.push(element('rect', { class: 'card', width, height, rx: radius }));
  if (isField) {
    const middle = height / 2 + 4;
    const end = { class: 'subtitle end', x: width - 12, y: middle };
    children.push(element('text', { class: 'title', x: 12, y: middle }, box.title), element('text', end, box.subtitle));
  } else {
    children.push(badge(box, height, compact), ...titles(box, height, compact), ...marks(box, width), ...problemMark(box, height));
  }
  return element(
    'g',
    {
      class: classes,
      transform: `translate(${Math.round(place.x)} ${Math.round(place.y)})`,
      'data-id': box.id,
      role: 'button',
      tabindex: '-1',
      'aria-label': description,
      'aria-pressed': look.selected === box.id ? 'true' : 'false',
    },
    ...children,
  );
}

function badge(box: Box, height: number, compact: boolean): Element {
  const { icon: size, iconAt } = compact ? COMPACT : FULL;
  const y = (height - size) / 2;
  const place = { x: iconAt, y, width: size, height: size, rx: box.type.startsWith('External') ? size / 2 : 7 };
  return element(
    'g',
    { class: compact ? 'badge small' : 'badge' },
    element('rect', { class: `badge-${categoryOf(box.subtitle)}`, ...place }),
    element('text', { class: 'badge-text', x: iconAt + size / 2, y: y + size / 2 + (compact ? 3 : 4) }, initials(box.subtitle)),
    // On the badge it takes no room: an instance that is shown moves nothing.
    ...(box.state ? [element('circle', { class: `state state-${box.state.state}`, cx: iconAt + size - 1, cy: y + size - 1, r: compact ? 4.5 : 5.5 })] : []),
  );
}

function titles(box: Box, height: number, compact: boolean): Element[] {
  const { textAt: x } = compact ? COMPACT : FULL;
  const made = [element('text', { class: 'title', x, y: compact ? height / 2 + 5 : height / 2 - 3 }, box.title)];
  if (!compact) {
    made.push(element('text', { class: 'subtitle', x, y: height / 2 + 14 }, box.subtitle));
  }
  return made;
}

function marks(box: Box, width: number): Element[] {
  const texts: string[] = [];
  if (box.type.startsWith('External')) {
    texts.push('external');
  }
  if (box.conditional) {
    texts.push('if');
  }
  if (box.state && (box.type === 'Collection' || box.type === 'ExternalCollection')) {
    texts.push(`×${box.state.objects}`);
  } else if (box.type === 'Collection' || box.type === 'ExternalCollection') {
    texts.push('each');
  }
  if (box.folded) {
    texts.push(`+${box.folded}`);
  }
  const made: Element[] = [];
  let right = width - 8;
  for (const text of texts) {
    const size = text.length * 5.8 + 10;
    made.push(element('rect', { class: 'tag', x: right - size, y: -8, width: size, height: 16, rx: 8 }));
    made.push(element('text', { class: 'tag-text', x: right - size / 2, y: 3.5 }, text));
    right -= size + 4;
  }
  return made;
}

/** The number of problems, at the corner below the badge. */
function problemMark(box: Box, height: number): Element[] {
  const severity = worst(box.problems);
  if (severity === null) {
    return [];
  }
  const text = String(box.problems.filter((each) => each.severity === severity).length);
  const size = Math.max(16, text.length * 7 + 9);
  return [
    element(
      'g',
      { class: `problems of-${severity}` },
      element('rect', { x: -6, y: height - 9, width: size, height: 16, rx: 8 }),
      element('text', { x: size / 2 - 6, y: height + 2.5 }, text),
    ),
  ];
}

function drawArrow(arrow: Arrow, { points, label }: Route, { direction, compact }: Layout, look: Look): Element {
  const isLit = look.highlight?.arrows.has(arrow.id) ?? false;
  const classes = classesOf('arrow', {
    field: arrow.isField,
    cyclic: arrow.cyclic,
    error: worst(arrow.problems) === 'error',
    warning: worst(arrow.problems) === 'warning',
    'on-critical': look.critical && arrow.critical,
    lit: isLit,
    dim: look.highlight !== null && !isLit,
  });
  const line = path(points, direction);
  const children = [
    element('title', {}, `${arrow.to} reads ${arrow.causes.map((cause) => `${cause.expression} at ${cause.path}`).join('\n')}`),
    element('path', { class: 'line', d: line }),
    element('path', { class: 'head', d: head(points, direction) }),
    element('path', { class: 'hit', d: line }),
  ];
  // Without a place of its own, a label would lie under compact boxes; the details of a box have it too.
  if (arrow.label !== '' && (label ? look.labels || isLit : isLit && !compact)) {
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

function classesOf(first: string, others: Record<string, boolean>): string {
  return [first, ...Object.keys(others).filter((name) => others[name])].join(' ');
}

export function initials(kind: string): string {
  const found = kind.match(/[A-Z](?=[a-z]|$)|^[a-z]/g)?.join('') ?? '';
  return (found || kind.slice(0, 2) || '?').slice(0, 3).toUpperCase();
}

const CATEGORIES: readonly RegExp[] = [
  /^(Deployment|StatefulSet|DaemonSet|ReplicaSet|Pod|Job|CronJob|HorizontalPodAutoscaler|PodDisruptionBudget)$/,
  /^(Service|Ingress|IngressClass|NetworkPolicy|Gateway|.*Route|Endpoint.*)$/,
  /^(ConfigMap|Secret|.*Config|LimitRange|ResourceQuota|Namespace)$/,
  /^(PersistentVolume.*|StorageClass|Volume.*|.*Bucket|.*Table|.*Cluster|.*Database|.*Instance)$/,
  /^(ServiceAccount|.*Role|.*RoleBinding|.*Policy|.*Certificate|.*Issuer)$/,
];

function categoryOf(kind: string): number {
  const found = CATEGORIES.findIndex((each) => each.test(kind));
  return found < 0 ? CATEGORIES.length : found;
}

/** The whole picture as an SVG document, for a file: both themes where none is named. */
export function document(model: Model, layout: Layout, look: Look, theme: Theme | null, colors?: Colors): string {
  const margin = 28;
  const { bands, arrows, boxes } = draw(model, layout, look);
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
    element('g', {}, ...arrows.values()),
    element('g', {}, ...boxes.values()),
  );
  return `${toText(root)}\n`;
}
