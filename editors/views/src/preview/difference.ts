// What the last edit changed in the objects and the status.

import { structuredPatch } from 'diff';

import type { Preview } from '../wire';

/** Edits that follow one another within this time are one edit; those of one value are also where its keys come slowly. */
const BURST_MILLISECONDS = 1500;
const SAME_VALUE_MILLISECONDS = 5000;
const CONTEXT_LINES = 2;
/** A text with more different lines than this is shown as replaced: an exact difference would be slow. */
const MOST_DIFFERENT_LINES = 2000;

/** What is compared: the title of each text, such as an object's name. */
export type Texts = ReadonlyMap<string, string>;

export interface Difference {
  title: string;
  kind: 'added' | 'removed' | 'changed';
  lines: string[];
}

export function textsOf(preview: Preview): Texts {
  const texts = new Map((preview.objects ?? []).map((each) => [`${each.node} · ${each.name}`, each.text]));
  if (preview.status) {
    texts.set('status', preview.status.text);
  }
  return texts;
}

/** Where texts begin to differ. */
type Places = ReadonlyMap<string, number>;

/** Remembers what to compare with: what there was before the last edit, or what the user pinned. */
export class Baseline {
  #base: Texts | null = null;
  #last: Texts | null = null;
  #places: Places = new Map();
  #changedAt = -Infinity;
  isPinned = false;

  /** Takes note of a new preview; one that is the same is no edit. */
  see(texts: Texts, now: number): void {
    if (this.#last && isSame(this.#last, texts)) {
      return;
    }
    const places = this.#last ? placesOf(this.#last, texts) : new Map<string, number>();
    const rest = isSamePlaces(places, this.#places) ? SAME_VALUE_MILLISECONDS : BURST_MILLISECONDS;
    if (!this.isPinned && now - this.#changedAt > rest) {
      this.#base = this.#last;
    }
    this.#places = places;
    this.#changedAt = this.#last ? now : -Infinity;
    this.#last = texts;
  }

  /** Compares with what there is now from here on, or with what was before the last edit again. */
  pin(pinned: boolean): void {
    this.isPinned = pinned;
    if (pinned) {
      this.#base = this.#last;
    }
  }

  get differences(): Difference[] {
    return this.#base && this.#last ? compare(this.#base, this.#last) : [];
  }
}

function placesOf(before: Texts, after: Texts): Places {
  const titles = new Set([...before.keys(), ...after.keys()]);
  return new Map(
    [...titles]
      .filter((title) => before.get(title) !== after.get(title))
      .map((title) => [title, firstDifference(before.get(title) ?? '', after.get(title) ?? '')]),
  );
}

/** The number of the first line that is another one. */
function firstDifference(before: string, after: string): number {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return now.findIndex((line, number) => line !== old[number]);
}

function isSamePlaces(one: Places, other: Places): boolean {
  return one.size === other.size && [...one].every(([title, line]) => other.get(title) === line);
}

function isSame(one: Texts, other: Texts): boolean {
  return one.size === other.size && [...one].every(([title, text]) => other.get(title) === text);
}

export function compare(before: Texts, after: Texts): Difference[] {
  const titles = [...after.keys(), ...[...before.keys()].filter((title) => !after.has(title))];
  return titles.flatMap((title) => {
    const [old, now] = [before.get(title), after.get(title)];
    if (old === now) {
      return [];
    }
    const kind = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return [{ title, kind, lines: patch(old ?? '', now ?? '') }];
  });
}

function patch(before: string, after: string): string[] {
  const found = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MOST_DIFFERENT_LINES,
  });
  return found
    ? found.hunks.flatMap((hunk, number) => [...(number ? ['…'] : []), ...hunk.lines])
    : [...lines(before, '-'), ...lines(after, '+')];
}

function lines(text: string, sign: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line);
}
