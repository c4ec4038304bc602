// What comes out: the objects, the status, what the last edit changed, what a deletion does.

import { html } from '../chrome';
import { ordinal } from '../numbers';
import type { Range } from '../wire';
import type { MissingStatus, Preview } from '../wire';
import type { Difference } from './difference';
import { yamlLines } from './lines';

type Reveal = (line: number) => void;

/** The status after a pass, and what it lacks; only that of the last leads to the lines that it comes from. */
export function statusOf(preview: Preview, at: number, reveal: Reveal, revealRange: (range: Range) => void): HTMLElement[] {
  const passes = preview.passes ?? [];
  const isLast = at >= passes.length - 1;
  const text = isLast ? (preview.status?.text ?? '') : (passes[at]?.status ?? '');
  return [
    yamlLines({ text, lines: isLast ? (preview.status?.lines ?? []) : [] }, reveal),
    ...missingOf(passes[at]?.missingStatus ?? [], revealRange),
  ];
}

/** What the status lacks, each with the reason, which leads to the expression that decides. */
function missingOf(missing: readonly MissingStatus[], reveal: (range: Range) => void): HTMLElement[] {
  if (missing.length === 0) {
    return [];
  }
  const rows = missing.map(({ path, reason, kro, range }) => {
    const contents = [...(path ? [html('code', {}, path), ' '] : []), html('span', {}, reason)];
    const row = range ? html('button', { type: 'button', title: kro }, ...contents) : html('div', { title: kro }, ...contents);
    row.addEventListener('click', () => {
      if (range) {
        reveal(range);
      }
    });
    return html('li', {}, row);
  });
  return [
    html('section', { class: 'no-value', 'aria-label': 'Without a value' }, html('h3', {}, 'Without a value'), html('ul', {}, ...rows)),
  ];
}

export function differencesOf(differences: readonly Difference[], isPinned: boolean): Node[] {
  if (differences.length === 0) {
    const since = isPinned ? 'since you pinned it' : 'by the last edit';
    return [html('p', { class: 'empty' }, `Nothing was changed ${since}.`)];
  }
  return differences.map(({ title, kind, lines }) =>
    html(
      'section',
      { class: `object ${kind}`, 'aria-label': `${title}, ${kind}` },
      html('h3', {}, title, html('small', {}, kind)),
      html(
        'div',
        { class: 'yaml' },
        ...lines.map((line) => html('div', { class: `line ${{ '+': 'plus', '-': 'minus' }[line[0] ?? ''] ?? ''}` }, line)),
      ),
    ),
  );
}

export function deletionOf({ deletion }: Preview): Node[] {
  const item = (object: string, node: string, note: string): HTMLElement =>
    html('li', {}, html('strong', {}, object), html('small', {}, [node, note].filter(Boolean).join(' · ')));
  const waves = (deletion?.waves ?? []).map(({ objects }, index) =>
    html(
      'section',
      { class: 'object' },
      html('h3', {}, `Deleted ${ordinal(index + 1)}`),
      html(
        'ul',
        { class: 'deleted' },
        ...objects.map((each) => item(each.object, each.node, each.finalizers ? `waits for ${each.finalizers.join(', ')}` : '')),
      ),
    ),
  );
  const kept = deletion?.kept.length
    ? [
        html(
          'section',
          { class: 'object' },
          html('h3', {}, 'Stays'),
          html('ul', { class: 'deleted' }, ...deletion.kept.map((each) => item(each.object, each.node, each.reason))),
        ),
      ]
    : [];
  return [html('p', { class: 'empty' }, 'When the instance is deleted, kro deletes in this order:'), ...waves, ...kept];
}
