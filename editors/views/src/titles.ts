// The titles of columns: as large as they must be to be read, and the room that they take beside the boxes.

import type { Layout, Rectangle } from './layout';
import { legible, zoomStep } from './look';
import type { Model } from './model';
import { textWidth } from './text';

export const BAND_PAD = 16;
const INSET = 14;
const [SIZE, LARGEST] = [12, 44];
/** By how much letters that stand apart make a title longer. */
const SPACED = 1.08;

export interface Titles {
  size: number;
  texts: ReadonlyMap<number, string>;
  /** The room for them: above columns, at the left of rows. */
  room: number;
}

/** How the titles of columns are written at a scale. All are shortened where one of them is wider than its column. */
export function titlesOf(model: Model, { bands, direction }: Layout, zoom: number): Titles {
  const size = legible(SIZE, zoom, LARGEST);
  const width = (text: string): number => titleWidth(text, size);
  const whole = new Map(bands.map(({ column }) => [column, model.columnTitle(column)]));
  if (direction === 'down') {
    return { size, texts: whole, room: INSET + Math.max(0, ...[...whole.values()].map(width)) };
  }
  const fit = bands.every((band) => width(whole.get(band.column) ?? '') <= band.size + 2 * BAND_PAD - INSET);
  const texts = fit ? whole : new Map([...whole].map(([column, text]) => [column, shortTitle(text)]));
  return { size, texts, room: size + 24 };
}

/** The number alone: `3` of `Pass 3`. */
export function shortTitle(title: string): string {
  return title.slice(title.indexOf(' ') + 1);
}

export function titleWidth(title: string, size: number): number {
  return (textWidth(title, 'title') * SPACED * size) / 13.5;
}

/** The bounds of a picture with the titles of its columns. */
export function withTitles({ x, y, width, height }: Rectangle, { direction, bands }: Layout, { room }: Titles): Rectangle {
  const side = bands.length === 0 ? 0 : room;
  const [left, top] = direction === 'right' ? [0, side] : [side, 0];
  return { x: x - left - BAND_PAD, y: y - top - BAND_PAD, width: width + left + 2 * BAND_PAD, height: height + top + 2 * BAND_PAD };
}

/** The bounds with titles as they are where everything is shown; `scaleFor` says how large given bounds are shown. */
export function fittedBounds(model: Model, layout: Layout, scaleFor: (bounds: Rectangle) => number): Rectangle {
  // The smaller the picture, the larger the titles in it, and the room that they take; twice is near enough.
  const first = withTitles(layout.bounds, layout, titlesOf(model, layout, 1));
  const second = withTitles(layout.bounds, layout, titlesOf(model, layout, zoomStep(scaleFor(first))));
  return withTitles(layout.bounds, layout, titlesOf(model, layout, zoomStep(scaleFor(second))));
}
