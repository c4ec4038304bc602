// YAML as lines that lead to where they come from, with a little colour.

import { diffArrays } from 'diff';

import { html } from '../chrome';
import type { PlacedText } from '../wire';

/** A line: its indentation and dashes, a key, and what follows. */
export const LINE = /^(\s*(?:- )*)(?!- )((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#:][^:#]*?):)?(?=\s|$)(.*)$/;

/**
 * The elements of a text; a click, or Enter, calls `reveal` with the line of the definition. With the text that was there
 * before, lines that are new are marked and those that are not there any more stand between them.
 */
export function yamlLines(placed: PlacedText, reveal: (line: number) => void, before: string | null = null): HTMLElement {
  const texts = linesOf(placed.text);
  const rows = texts.map((text, number) => {
    const source = placed.lines[number] ?? null;
    const row = html('div', { class: 'line' }, ...parts(text));
    if (source !== null) {
      row.dataset['source'] = String(source);
      row.setAttribute('role', 'link');
      row.tabIndex = -1;
      row.title = `line ${source + 1}`;
    }
    return row;
  });
  const first = rows.find((row) => row.dataset['source'] !== undefined);
  if (first) {
    first.tabIndex = 0;
  }
  const block = html('div', { class: 'yaml' }, ...(before === null ? rows : compared(linesOf(before), texts, rows)));
  const open = (target: EventTarget | null): void => {
    const source = (target as Element | null)?.closest<HTMLElement>('[data-source]')?.dataset['source'];
    if (source !== undefined) {
      reveal(Number(source));
    }
  };
  block.addEventListener('click', (event) => {
    open(event.target);
  });
  block.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      open(event.target);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      step(block, event.key === 'ArrowDown' ? 1 : -1);
    }
  });
  return block;
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** The rows of the lines that there are now, and rows for those that there were. */
function compared(before: string[], now: string[], rows: readonly HTMLElement[]): HTMLElement[] {
  let at = 0;
  return diffArrays(before, now).flatMap(({ value, added, removed }) => {
    if (removed) {
      return value.map((text) => html('div', { class: 'line minus' }, text));
    }
    const here = rows.slice(at, (at += value.length));
    if (added) {
      here.forEach((row) => {
        row.classList.add('plus');
      });
    }
    return here;
  });
}

/** Goes to the next line that leads somewhere. */
function step(block: HTMLElement, direction: 1 | -1): void {
  const rows = [...block.querySelectorAll<HTMLElement>('[data-source]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at + direction];
  if (next) {
    rows[at]?.setAttribute('tabindex', '-1');
    next.tabIndex = 0;
    next.focus();
  }
}

/** Marks the lines that come from a line of the definition, and returns the first. */
export function markSource(root: HTMLElement, source: number | null): HTMLElement | null {
  root.querySelectorAll('.line.here').forEach((row) => {
    row.classList.remove('here');
  });
  const found = source === null ? [] : [...root.querySelectorAll<HTMLElement>(`[data-source="${source}"]`)];
  found.forEach((row) => {
    row.classList.add('here');
  });
  return found[0] ?? null;
}

function parts(text: string): (Node | string)[] {
  const [, start = '', key = '', rest = ''] = LINE.exec(text) ?? [];
  if (key === '' && rest === '' && start === '') {
    return [text === '' ? ' ' : text];
  }
  return [
    start,
    ...(key ? [html('span', { class: 'key' }, key)] : []),
    ...(rest ? [html('span', { class: kindOf(rest.trim()) }, rest)] : []),
  ];
}

function kindOf(value: string): string {
  return /^(?:-?\d[\d.]*|true|false|null)$/.test(value) ? 'literal' : 'text';
}
