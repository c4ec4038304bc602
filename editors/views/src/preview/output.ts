// What comes out: the objects, the status, what the last edit changed, what a deletion does.

import { html } from '../chrome';
import { ordinal } from '../numbers';
import type { Preview } from './data';
import type { Difference } from './difference';
import { yamlLines } from './lines';

type Reveal = (line: number) => void;

/** The status after a pass; only that of the last leads to the lines that it comes from. */
export function statusOf(preview: Preview, at: number, reveal: Reveal): HTMLElement {
  const passes = preview.passes ?? [];
  const isLast = at >= passes.length - 1;
  const text = isLast ? (preview.status?.text ?? '') : (passes[at]?.status ?? '');
  return yamlLines({ text, lines: isLast ? (preview.status?.lines ?? []) : [] }, reveal);
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
      html('div', { class: 'yaml' }, ...lines.map((line) => html('div', { class: `line ${{ '+': 'plus', '-': 'minus' }[line[0] ?? ''] ?? ''}` }, line))),
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
      html('ul', { class: 'deleted' }, ...objects.map((each) => item(each.object, each.node, each.finalizers ? `waits for ${each.finalizers.join(', ')}` : ''))),
    ),
  );
  const kept = deletion?.kept.length
    ? [html('section', { class: 'object' }, html('h3', {}, 'Stays'), html('ul', { class: 'deleted' }, ...deletion.kept.map((each) => item(each.object, each.node, each.reason))))]
    : [];
  return [html('p', { class: 'empty' }, 'When the instance is deleted, kro deletes in this order:'), ...waves, ...kept];
}
