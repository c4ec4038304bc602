// How the picture is looked at: what is selected, what stays bright, how large it is shown.

import type { Highlight } from './highlight';

export interface Look {
  selected: string | null;
  highlight: Highlight | null;
  found: ReadonlySet<string>;
  labels: boolean;
  critical: boolean;
  /** About how large the picture is shown, in steps: what there is room for. */
  zoom: number;
}

export const PLAIN: Look = { selected: null, highlight: null, found: new Set(), labels: true, critical: false, zoom: 1 };

/** A font size that stays readable when the picture is small, as far as there is room. */
export function legible(size: number, zoom: number, largest: number): number {
  return Math.min(Math.max(size, 11 / zoom), largest);
}

/** The steps in which a scale counts, each about a fifth larger: so a picture is not drawn anew all the time. */
export function zoomStep(scale: number): number {
  return 1.2 ** Math.round(Math.log(scale) / Math.log(1.2));
}
