// The boxes of the picture, with as much in them as there is room for on the screen.

import type { Problem } from './wire';
import { iconOf, type Icon } from './icons';
import { COMPACT, FULL, GROUP, HEAD, type Layout, type Rectangle } from './layout';
import { legible, type Look } from './look';
import type { Box, Model } from './model';
import { element, type Element } from './svg';
import { shortened, textWidth } from './text';

/**
 * What a box shows: a spot of its colour; icon and id; its kind as well; API version and conditions as well. It depends on
 * how large a box is on the screen, and never moves anything.
 */
export type Level = 'dot' | 'brief' | 'card' | 'full';

export function levelOf(compact: boolean, zoom: number): Level {
  if (compact) {
    return zoom < 0.45 ? 'dot' : zoom < 1.55 ? 'brief' : 'full';
  }
  return zoom < 0.3 ? 'dot' : zoom < 0.62 ? 'brief' : zoom < 1.3 ? 'card' : 'full';
}

type Parts = Pick<typeof FULL, 'icon' | 'iconAt' | 'textAt' | 'end'>;

/** By how much ids may be enlarged. */
const LARGEST_BRIEF = 1.4;

const TYPES = {
  Resource: '',
  Collection: 'collection',
  External: 'external',
  ExternalCollection: 'external collection',
  Field: 'field of the schema',
  Group: 'group',
};

/** The sentence that a screen reader says of a box. */
export function describe(model: Model, box: Box, needs: readonly string[] = [], dependents: readonly string[] = []): string {
  const named = (ids: readonly string[]): string => ids.map((id) => model.boxes.get(id)?.title ?? id).join(', ');
  const parts = [
    box.title,
    box.type === 'Group' ? `group of ${box.members.length} resources` : box.subtitle,
    box.type === 'Group' ? box.subtitle : TYPES[box.type],
    box.type === 'Group' ? (box.isExpanded ? 'expanded' : 'collapsed') : '',
    box.members.some(isCollection) ? 'with a collection' : '',
    box.conditional ? 'conditional' : '',
    box.change ?? '',
    box.column === null ? '' : model.columnTitle(box.column).toLowerCase(),
    box.cyclic ? 'in a cycle' : '',
    counted(box.problems),
    box.state ? `${box.state.state}, ${objects(box.state.objects)}` : '',
    needs.length ? `needs ${named(needs)}` : '',
    dependents.length ? `needed by ${named(dependents)}` : '',
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

export function worst(problems: readonly Problem[]): Problem['severity'] | null {
  return problems.some((each) => each.severity === 'error') ? 'error' : problems.length > 0 ? 'warning' : null;
}

export function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}

function isCollection(box: Box): boolean {
  return box.type === 'Collection' || box.type === 'ExternalCollection';
}

/** The size in which all ids are written where there is no room for kinds: the largest for which each box has room. */
export function briefSize(model: Model, layout: Layout): number {
  const sizes = [...model.boxes.values()]
    .filter((box) => box.type !== 'Group' && box.type !== 'Field')
    .map(
      (box) => ((layout.boxes.get(box.id)?.width ?? Infinity) - FULL.textAt - FULL.briefEnd) / Math.max(textWidth(box.title, 'title'), 1),
    );
  return 13.5 * Math.min(Math.max(Math.min(...sizes), 1), LARGEST_BRIEF);
}

export function drawBox(box: Box, place: Rectangle, compact: boolean, look: Look, description: string, brief: number): Element {
  const level = box.type === 'Group' ? levelOf(false, look.zoom) : levelOf(compact, look.zoom);
  const isExternal = box.type.startsWith('External');
  const classes = classesOf(box.isExpanded ? 'box frame-head' : 'box', {
    compact,
    group: box.type === 'Group',
    field: box.type === 'Field',
    external: isExternal,
    [`level-${level}`]: true,
    cyclic: box.cyclic,
    error: worst(box.problems) === 'error',
    warning: worst(box.problems) === 'warning',
    'on-critical': look.critical && box.critical && !box.isExpanded,
    ...(box.change && !box.isExpanded ? { [box.change]: true } : {}),
    ignored: box.state?.state === 'ignored' && box.type !== 'Group',
    selected: look.selected === box.id,
    found: look.found.has(box.id),
    // What was searched for and what changed stay bright, whatever is selected.
    dim: look.highlight !== null && !look.highlight.boxes.has(box.id) && !look.found.has(box.id) && box.change === null,
  });
  const title = element('title', {}, box.state?.reason ? `${description}; ${box.state.reason}` : description);
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
      'aria-expanded': box.type === 'Group' ? String(box.isExpanded) : null,
    },
    title,
    ...partsOf(box, place, compact, level, look.zoom, brief),
  );
}

function partsOf(box: Box, { width, height }: Rectangle, compact: boolean, level: Level, zoom: number, brief: number): Element[] {
  if (box.isExpanded) {
    return frameHead(box, width, zoom);
  }
  if (box.type === 'Field') {
    const middle = height / 2 + 4;
    return [
      element('rect', { class: 'card', width, height, rx: height / 2 }),
      element('text', { class: 'title', x: 12, y: middle }, box.title),
      element('text', { class: 'subtitle end', x: width - 12, y: middle }, box.subtitle),
    ];
  }
  const radius = box.type.startsWith('External') ? 18 : 9;
  const isStack = isCollection(box) || box.type === 'Group';
  const cards = (isStack ? (compact && box.type !== 'Group' ? [5, 2.5, 0] : [8, 4, 0]) : [0]).map((shift) =>
    element('rect', { class: 'card', ...(shift ? { x: shift, y: shift } : {}), width, height, rx: radius }),
  );
  if (box.type === 'Group') {
    return [...cards, ...groupTexts(box, width, height, level, zoom), ...marks(box, width, level), ...problemMarks(box, height)];
  }
  if (level === 'dot') {
    const { family } = iconOf(box.subtitle, box.apiVersion);
    const inset = { x: 4, y: 4, width: width - 8, height: height - 8, rx: radius - 4 };
    return [...cards, element('rect', { class: `spot badge-${family}`, ...inset }), ...problemMarks(box, height)];
  }
  const look = compact ? COMPACT : FULL;
  return [
    ...cards,
    badge(iconOf(box.subtitle, box.apiVersion), box, height, look, compact),
    ...texts(box, width, height, look, compact, level, brief),
    ...marks(box, width, level, compact),
    ...problemMarks(box, height),
  ];
}

/** What lies behind the members of an expanded group, and behind the arrows. */
export function frameBack(box: Box, place: Rectangle, look: Look): Element {
  const classes = classesOf('frame', {
    error: worst(box.problems) === 'error',
    selected: look.selected === box.id,
    dim: look.highlight !== null && !look.highlight.boxes.has(box.id),
  });
  return element('rect', { class: classes, ...place, rx: 14 });
}

/** The head of a frame, which collapses it. */
function frameHead(box: Box, width: number, zoom: number): Element[] {
  const font = legible(13, zoom, 30);
  const count = `${box.members.length} resources`;
  return [
    element('rect', { class: 'head', x: 6, y: 5, width: width - 12, height: HEAD - 5, rx: 8 }),
    element('path', { class: 'chevron', d: 'M14 15 l5 6 l5 -6' }),
    element(
      'text',
      { class: 'title', x: 32, y: 18 + font / 3, 'font-size': font },
      shortened(box.title, 'title', ((width - 44) * 13.5) / font),
    ),
    ...(width > 60 + textWidth(box.title, 'title') + textWidth(count, 'subtitle')
      ? [element('text', { class: 'subtitle end', x: width - 14, y: 22 }, count)]
      : []),
  ];
}

function groupTexts(box: Box, width: number, height: number, level: Level, zoom: number): Element[] {
  const { icon, iconAt, textAt, end } = GROUP;
  const count = String(box.members.length);
  const chevron = element('path', { class: 'chevron', d: `M${width - 20} ${height / 2 - 5} l6 5 l-6 5` });
  if (level === 'dot') {
    // A long title is cut rather than written smaller than the others.
    const font = legible(13.5, zoom, height * 0.45);
    const title = shortened(box.title, 'title', ((width - 24) * 13.5) / font);
    return [element('text', { class: 'title middle', x: width / 2, y: height / 2 + font / 3, 'font-size': font }, title)];
  }
  const room = width - textAt - end;
  const font = level === 'brief' ? legible(13.5, zoom, 20) : 13.5;
  const title = element(
    'text',
    {
      class: 'title',
      x: textAt,
      y: level === 'brief' ? height / 2 + font / 3 : height / 2 - 4,
      ...(font === 13.5 ? {} : { 'font-size': font }),
    },
    shortened(box.title, 'title', (room * 13.5) / font),
  );
  const y = (height - icon) / 2;
  const made = [
    element(
      'g',
      { class: 'badge' },
      element('rect', { class: 'badge-group', x: iconAt, y, width: icon, height: icon, rx: 9 }),
      element('text', { class: 'count', x: iconAt + icon / 2, y: height / 2 + 5 }, count),
      ...(box.state ? [stateMark(box.state.state, iconAt + icon - 1, y + icon - 1, 5.5)] : []),
    ),
    title,
    chevron,
  ];
  if (level !== 'brief') {
    made.push(element('text', { class: 'subtitle', x: textAt, y: height / 2 + 14 }, shortened(box.subtitle, 'subtitle', room)));
  }
  return made;
}

function badge(icon: Icon, box: Box, height: number, { icon: size, iconAt }: Parts, compact: boolean): Element {
  const y = (height - size) / 2;
  const place = { x: iconAt, y, width: size, height: size, rx: box.type.startsWith('External') ? size / 2 : compact ? 5 : 7 };
  const scale = (size * 0.68) / 24;
  const inset = size * 0.16;
  return element(
    'g',
    { class: 'badge' },
    element('rect', { class: `badge-${icon.family}`, ...place }),
    element('path', {
      class: 'glyph',
      d: icon.path,
      transform: `translate(${round(iconAt + inset)} ${round(y + inset)}) scale(${round(scale)})`,
    }),
    // On the badge it takes no room: an instance that is shown moves nothing.
    ...(box.state ? [stateMark(box.state.state, iconAt + size - 1, y + size - 1, compact ? 4.5 : 5.5)] : []),
  );
}

function stateMark(state: string, cx: number, cy: number, r: number): Element {
  return element('circle', { class: `state state-${state}`, cx, cy, r });
}

function texts(
  box: Box,
  width: number,
  height: number,
  { textAt: x, end }: Parts,
  compact: boolean,
  level: Level,
  brief: number,
): Element[] {
  const room = width - x - end;
  if (level === 'full') {
    // On the screen this is as large as the other levels are: the picture is shown larger.
    const factor = compact ? 0.55 : 0.78;
    const smallest = compact ? COMPACT.smallestKind : factor * 0.7;
    const line = (text: string, font: 'title' | 'subtitle', share: number): Element => {
      // A long line in a narrow box is written smaller: whoever wants to read it comes closer.
      const fitted = Math.max(Math.min(factor, room / Math.max(textWidth(text, font), 1)), smallest);
      const size = (font === 'title' ? 13.5 : 11.5) * fitted;
      return element('text', { class: font, x, y: height * share, 'font-size': size }, shortened(text, font, room / fitted));
    };
    const versioned = [box.subtitle, box.apiVersion ?? ''].filter(Boolean).join(' · ');
    const kind = textWidth(versioned, 'subtitle') * smallest <= room ? versioned : box.subtitle;
    const conditions = conditionsOf(box);
    const shares = conditions ? [0.34, 0.6, 0.85] : [0.44, 0.74];
    return [
      line(box.title, 'title', shares[0] ?? 0),
      line(kind, 'subtitle', shares[1] ?? 0),
      ...(conditions ? [line(conditions, 'subtitle', shares[2] ?? 0)] : []),
    ];
  }
  if (level === 'brief' && !compact) {
    return [element('text', { class: 'title', x, y: height / 2 + brief / 3, 'font-size': brief }, box.title)];
  }
  const title = element('text', { class: 'title', x, y: compact ? height / 2 + 5 : height / 2 - 3 }, box.title);
  return compact ? [title] : [title, element('text', { class: 'subtitle', x, y: height / 2 + 14 }, box.subtitle)];
}

/** The conditions of a resource in one line. */
function conditionsOf({ conditions }: Box): string {
  const names: Readonly<Record<string, string>> = { includeWhen: 'if', readyWhen: 'ready' };
  return Object.entries(conditions)
    .map(([name, all]) => `${names[name] ?? name} ${all.join(' && ')}`)
    .join(' · ');
}

const CHANGE_TEXTS = { added: '+ new', removed: '− removed', changed: '~ changed' };

function marks(box: Box, width: number, level: Level, compact = false): Element[] {
  const found: [text: string, style: string][] = [];
  if (box.change) {
    const text = CHANGE_TEXTS[box.change];
    // A whole word would cover the id of a compact box.
    found.push([compact ? text.charAt(0) : text, ` of-${box.change}`]);
  }
  if (level !== 'dot') {
    found.push(...plainMarks(box).map((text): [string, string] => [text, '']));
  }
  const made: Element[] = [];
  // Above the id of a compact box there is less room.
  const { top, height, font } = compact ? { top: -9, height: 13, font: 8.5 } : { top: -8, height: 16, font: 9.5 };
  let right = width - 8;
  for (const [text, style] of found) {
    const size = text.length * font * 0.61 + 10;
    made.push(element('rect', { class: `tag${style}`, x: right - size, y: top, width: size, height, rx: height / 2 }));
    made.push(
      element('text', { class: `tag-text${style}`, x: right - size / 2, y: top + height / 2 + font * 0.36, 'font-size': font }, text),
    );
    right -= size + 4;
  }
  return made;
}

function plainMarks(box: Box): string[] {
  const found: string[] = [];
  if (box.type.startsWith('External')) {
    found.push('external');
  }
  if (box.conditional) {
    found.push('if');
  }
  if (isCollection(box)) {
    found.push(box.state ? `×${box.state.objects}` : 'each');
  } else if (box.members.some(isCollection)) {
    found.push('each');
  }
  if (box.folded) {
    found.push(`+${box.folded}`);
  }
  return found;
}

/** The number of errors, else of warnings, at the corner below the badge; of a group that of both. */
function problemMarks(box: Box, height: number): Element[] {
  const counts = (['error', 'warning'] as const)
    .map((severity) => ({ severity, count: box.problems.filter((each) => each.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .slice(0, box.type === 'Group' ? 2 : 1);
  let x = -6;
  return counts.map(({ severity, count }) => {
    const text = String(count);
    const size = Math.max(16, text.length * 7 + 9);
    const mark = element(
      'g',
      { class: `problems of-${severity}` },
      element('rect', { x, y: height - 9, width: size, height: 16, rx: 8 }),
      element('text', { x: x + size / 2, y: height + 2.5 }, text),
    );
    x += size + 3;
    return mark;
  });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function classesOf(first: string, others: Record<string, boolean>): string {
  return [first, ...Object.keys(others).filter((name) => others[name])].join(' ');
}
