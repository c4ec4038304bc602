// What keys mean in the picture, and which box is the next one in a direction.

import type { Action, Toggle } from './chrome';
import { transposed, type Layout, type Rectangle } from './layout';
import { neighbours, type Model } from './model';

export type Direction = 'left' | 'right' | 'up' | 'down';
export type Key = { go: Direction } | { act: Action } | { toggle: Toggle } | 'open' | 'select' | 'clear' | 'search';

const KEYS: Readonly<Record<string, Key>> = {
  ArrowLeft: { go: 'left' },
  ArrowRight: { go: 'right' },
  ArrowUp: { go: 'up' },
  ArrowDown: { go: 'down' },
  Enter: 'open',
  ' ': 'select',
  Escape: 'clear',
  '/': 'search',
  '+': { act: 'in' },
  '-': { act: 'out' },
  '0': { act: 'fit' },
  c: { act: 'fold' },
  l: { toggle: 'labels' },
  d: { toggle: 'deletion' },
  p: { toggle: 'critical' },
  f: { toggle: 'fields' },
  i: { toggle: 'instance' },
  h: { toggle: 'comparison' },
  m: { toggle: 'map' },
  g: { act: 'group' },
  e: { act: 'expand' },
};

export function keyOf(event: KeyboardEvent): Key | null {
  return event.ctrlKey || event.metaKey || event.altKey ? null : (KEYS[event.key] ?? null);
}

/** The box to go to: the first where there is none yet, null where there is none in that direction. */
export function nextBox(direction: Direction, here: string | null, model: Model, layout: Layout): string | null {
  return layout.direction === 'down'
    ? rightwards(ACROSS[direction], here, model, transposed(layout))
    : rightwards(direction, here, model, layout);
}

/** What a key means in a picture that goes down, as if it went to the right. */
const ACROSS: Readonly<Record<Direction, Direction>> = { left: 'up', right: 'down', up: 'left', down: 'right' };

function rightwards(direction: Direction, here: string | null, model: Model, { boxes }: Layout): string | null {
  const place = here === null ? undefined : boxes.get(here);
  if (here === null || place === undefined) {
    return first([...boxes]);
  }
  const isAhead = direction === 'right' || direction === 'down';
  const members = isAhead && model.boxes.get(here)?.isExpanded ? [...boxes].filter(([id]) => model.boxes.get(id)?.parent === here) : [];
  if (members.length > 0) {
    return first(members);
  }
  if (direction === 'up' || direction === 'down') {
    const column = [...boxes]
      .filter(([, each]) => each.x < place.x + place.width && place.x < each.x + each.width)
      .sort(([, one], [, other]) => one.y - other.y);
    return column[column.findIndex(([id]) => id === here) + (direction === 'up' ? -1 : 1)]?.[0] ?? null;
  }
  // Of several neighbours the one that stands nearest; what no arrow leads to is reached where it stands.
  const [at, other] = direction === 'left' ? (['to', 'from'] as const) : (['from', 'to'] as const);
  const others = neighbours(model.arrows, at, other).get(here) ?? [];
  const distance = (id: string): number => Math.abs((boxes.get(id)?.y ?? 0) - place.y);
  return [...others].sort((one, two) => distance(one) - distance(two))[0] ?? nearest(direction, place, boxes);
}

function first(boxes: readonly [string, Rectangle][]): string | null {
  return [...boxes].sort(([, one], [, other]) => one.x - other.x || one.y - other.y)[0]?.[0] ?? null;
}

/** The nearest box to the left or right of a place; boxes that are higher or lower count as farther away. */
function nearest(direction: 'left' | 'right', place: Rectangle, boxes: Layout['boxes']): string | null {
  const ahead = ({ x, width }: Rectangle): number => (direction === 'right' ? x - place.x - place.width : place.x - x - width);
  const aside = ({ y, height }: Rectangle): number => Math.abs(y + height / 2 - place.y - place.height / 2);
  const cost = (each: Rectangle): number => ahead(each) + 2 * aside(each);
  const found = [...boxes].filter(([, each]) => ahead(each) >= 0);
  return found.sort(([, one], [, other]) => cost(one) - cost(other))[0]?.[0] ?? null;
}
