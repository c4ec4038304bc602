// The picture of a graph as elements: the only place that says what it looks like.

import { pictureStyle, COLORS, type Colors, type Theme } from './colors';
import { labelWidth, type Layout, type Point, type Rectangle } from './layout';
import { neighbours, type Arrow, type Box, type Highlight, type Model } from './model';
import { element, toText, type Element } from './svg';

export interface Look {
  selected: string | null;
  highlight: Highlight | null;
  found: ReadonlySet<string>;
  labels: boolean;
  critical: boolean;
}

export const PLAIN: Look = { selected: null, highlight: null, found: new Set(), labels: true, critical: false };

const COLUMN_PAD = 16;
const HEAD_ROOM = 48;

export interface Picture {
  columns: Map<string, Element>;
  arrows: Map<string, Element>;
  boxes: Map<string, Element>;
}

export function draw(model: Model, layout: Layout, look: Look): Picture {
  const columns = new Map(
    layout.columns.map((column) => {
      const top = layout.bounds.y - HEAD_ROOM;
      const box = {
        x: column.x - COLUMN_PAD,
        y: top,
        width: column.width + 2 * COLUMN_PAD,
        height: layout.bounds.height + HEAD_ROOM + COLUMN_PAD,
        rx: 12,
      };
      const title = { x: column.x - COLUMN_PAD + 14, y: top + 24 };
      return [
        String(column.wave),
        element('g', { class: 'column' }, element('rect', box), element('text', title, `Wave ${column.wave}`)),
      ];
    }),
  );
  const needs = neighbours(model.arrows, 'to', 'from');
  const dependents = neighbours(model.arrows, 'from', 'to');
  const boxes = new Map<string, Element>();
  for (const box of model.boxes.values()) {
    const place = layout.boxes.get(box.id);
    if (place) {
      boxes.set(box.id, drawBox(box, place, look, describe(box, needs.get(box.id), dependents.get(box.id))));
    }
  }
  const arrows = new Map<string, Element>();
  // Highlighted arrows are drawn over the others.
  const isLit = (each: Arrow): number => (look.highlight?.arrows.has(each.id) || each.cyclic ? 1 : 0);
  for (const each of [...model.arrows].sort((one, other) => isLit(one) - isLit(other))) {
    const route = layout.routes.get(each.id);
    if (route && route.points.length > 1) {
      arrows.set(each.id, drawArrow(each, route.points, route.label, look));
    }
  }
  return { columns, arrows, boxes };
}

/** The sentence that a screen reader says of a box. */
export function describe(box: Box, needs: readonly string[] = [], dependents: readonly string[] = []): string {
  const type = { Resource: '', Collection: 'collection', External: 'external', ExternalCollection: 'external collection', Field: 'field of the schema' };
  const parts = [
    box.title,
    box.subtitle,
    type[box.type],
    box.conditional ? 'conditional' : '',
    box.wave === null ? '' : `wave ${box.wave}`,
    box.cyclic ? 'in a cycle' : '',
    box.state ? `${box.state.state}, ${objects(box.state.objects)}` : '',
    needs.length ? `needs ${needs.join(', ')}` : '',
    dependents.length ? `needed by ${dependents.join(', ')}` : '',
    box.folded ? `${box.folded} folded into it` : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

export function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}

function drawBox(box: Box, place: Rectangle, look: Look, description: string): Element {
  const { width, height } = place;
  const isField = box.type === 'Field';
  const isExternal = box.type === 'External' || box.type === 'ExternalCollection';
  const classes = classesOf('box', {
    field: isField,
    external: isExternal,
    cyclic: box.cyclic,
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
    const used = 12 + box.title.length * 6.6;
    children.push(element('text', { class: 'title', x: 12, y: middle }, box.title));
    children.push(element('text', { class: 'subtitle', x: used + 10, y: middle }, box.subtitle));
  } else {
    children.push(...badge(box, height), ...titles(box, width, height), ...marks(box, width));
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

function badge(box: Box, height: number): Element[] {
  const size = 30;
  const y = (height - size) / 2;
  const place = { class: `badge badge-${categoryOf(box.subtitle)}`, x: 11, y, width: size, height: size, rx: box.type.startsWith('External') ? size / 2 : 7 };
  return [
    element('rect', place),
    element('text', { class: 'badge-text', x: 11 + size / 2, y: y + size / 2 + 4 }, initials(box.subtitle)),
  ];
}

function titles(box: Box, width: number, height: number): Element[] {
  const room = Math.floor((width - 60) / 8);
  const shown = box.title.length > room + 1 ? `${box.title.slice(0, room)}…` : box.title;
  const made = [
    element('text', { class: 'title', x: 51, y: height / 2 - 3 }, shown),
    element('text', { class: 'subtitle', x: 51, y: height / 2 + 14 }, box.subtitle),
  ];
  if (box.state) {
    made.push(element('circle', { class: `state-${box.state.state}`, cx: width - 15, cy: height / 2 + 10, r: 5 }));
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

function drawArrow(arrow: Arrow, points: readonly Point[], label: Point | null, look: Look): Element {
  const isLit = look.highlight?.arrows.has(arrow.id) ?? false;
  const classes = classesOf('arrow', {
    field: arrow.isField,
    cyclic: arrow.cyclic,
    'on-critical': look.critical && arrow.critical,
    lit: isLit,
    dim: look.highlight !== null && !isLit,
  });
  const line = path(points);
  const children = [
    element('title', {}, `${arrow.to} reads ${arrow.causes.map((cause) => `${cause.expression} at ${cause.path}`).join('\n')}`),
    element('path', { class: 'line', d: line }),
    element('path', { class: 'head', d: head(points) }),
    element('path', { class: 'hit', d: line }),
  ];
  if (arrow.label !== '' && (look.labels || isLit)) {
    const middle = label ?? middleOf(points);
    const width = labelWidth(arrow.label);
    const back = { class: 'label-back', x: middle.x - width / 2, y: middle.y - 8.5, width, height: 17, rx: 5 };
    children.push(
      element('rect', back),
      element('text', { class: 'label', x: middle.x, y: middle.y + 3.5 }, arrow.label),
    );
  }
  return element('g', { class: classes, 'data-arrow': arrow.id }, ...children);
}

const BEND = 26;

/** The line through the corners of a route: level at each end, and a soft bend wherever it changes its height. */
export function path(points: readonly Point[]): string {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < 2) {
    return '';
  }
  const end = { x: last.x - 6, y: last.y };
  if (points.length === 2) {
    const reach = Math.max(40, Math.abs(end.x - first.x) / 2);
    return first.y === end.y ? `M${at(first)} L${at(end)}` : `M${at(first)} ${curve(first, end, reach)}`;
  }
  let text = `M${at(first)}`;
  let here = first;
  for (let number = 1; number + 1 < points.length; number += 2) {
    const [before, after] = [points[number], points[number + 1]];
    const next = points[number + 2] ?? end;
    if (!before || !after) {
      break;
    }
    // The corners stand above each other; the bend takes as much room on both sides as there is.
    const left = Math.min(BEND, Math.max(0, before.x - here.x));
    const right = Math.min(BEND, Math.max(0, (number + 3 < points.length ? (next.x - after.x) / 2 : end.x - after.x)));
    const start = { x: before.x - left, y: before.y };
    const finish = { x: after.x + right, y: after.y };
    text += ` L${at(start)} ${curve(start, finish, Math.max(left, right, 8))}`;
    here = finish;
  }
  return `${text} L${at(end)}`;
}

function curve(from: Point, to: Point, reach: number): string {
  return `C${at({ x: from.x + reach, y: from.y })} ${at({ x: to.x - reach, y: to.y })} ${at(to)}`;
}

function head(points: readonly Point[]): string {
  const tip = points.at(-1);
  return tip ? `M${at(tip)} l-9 -4.5 l2 4.5 l-2 4.5 z` : '';
}

function middleOf(points: readonly Point[]): Point {
  const first = points[0] ?? { x: 0, y: 0 };
  const last = points.at(-1) ?? first;
  // Near its end an arrow has left the bundle that it started in.
  const before = points.at(-2) ?? first;
  return points.length > 2 ? { x: (before.x + last.x) / 2, y: last.y } : { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 };
}

function at(point: Point): string {
  return `${Math.round(point.x * 10) / 10} ${Math.round(point.y * 10) / 10}`;
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
  const { columns, arrows, boxes } = draw(model, layout, look);
  const x = layout.bounds.x - COLUMN_PAD - margin;
  const y = layout.bounds.y - HEAD_ROOM - margin;
  const width = Math.ceil(layout.bounds.width + 2 * (COLUMN_PAD + margin));
  const height = Math.ceil(layout.bounds.height + HEAD_ROOM + COLUMN_PAD + 2 * margin);
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
    element('g', {}, ...columns.values()),
    element('g', {}, ...arrows.values()),
    element('g', {}, ...boxes.values()),
  );
  return `${toText(root)}\n`;
}
