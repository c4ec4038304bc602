// What comes out: the objects, the status, what the last edit changed, what a deletion does.

import { html } from '../chrome';
import type { Preview } from './data';
import type { Difference } from './difference';
import { yamlLines } from './lines';
import type { ObjectAtPass, PassStates } from './passes';

type Reveal = (line: number) => void;

/** The objects after a pass, and those that it deleted. What did not change keeps its elements, and so scroll and focus. */
export class ObjectList {
  readonly root = html('div', { class: 'objects' });
  #cards = new Map<string, { signature: string; card: HTMLElement }>();

  constructor(readonly reveal: Reveal) {}

  /** How many objects are there. */
  count = 0;

  show(passes: PassStates, at: number): void {
    const cards = new Map<string, { signature: string; card: HTMLElement }>();
    const objects = passes.objects(at);
    this.count = objects.filter(({ deed }) => deed !== 'deleted').length;
    for (const each of objects) {
      const isNow = (each.deed === 'created' ? each.created : each.updated) === at;
      const signature = JSON.stringify([each, isNow]);
      const key = `${each.node} ${each.name}`;
      const known = this.#cards.get(key);
      cards.set(key, known?.signature === signature ? known : { signature, card: this.#card(each, isNow) });
    }
    this.#cards = cards;
    const wanted = cards.size ? [...cards.values()].map(({ card }) => card) : [html('p', { class: 'empty' }, 'There are no objects yet.')];
    if (wanted.length !== this.root.childElementCount || wanted.some((card, number) => card !== this.root.children[number])) {
      this.root.replaceChildren(...wanted);
    }
  }

  /** Brings the first object that the shown pass concerned into view. */
  scrollToChanged(): void {
    this.root.querySelector('.object:is(.created, .updated, .deleted)')?.scrollIntoView({ block: 'start' });
  }

  /** Brings the first object of a node into view. */
  scrollTo(node: string): void {
    this.root.querySelector(`[data-object-of="${CSS.escape(node)}"]`)?.scrollIntoView({ block: 'nearest' });
  }

  #card(object: ObjectAtPass, isNow: boolean): HTMLElement {
    const deed = isNow ? object.deed : null;
    const told = [object.node, ...historyOf(object)].join(' · ');
    return html(
      'section',
      { class: `object ${deed ?? ''}`.trim(), 'data-object-of': object.node, 'aria-label': deed ? `${object.name}, ${deed}` : object.name },
      html('h3', {}, html('span', {}, object.name), html('small', {}, told)),
      yamlLines(object, this.reveal, deed === 'updated' ? object.before : null),
    );
  }
}

function historyOf({ created, updated, deed }: ObjectAtPass): string[] {
  const told = [created === null ? 'not applied' : `created in pass ${created + 1}`];
  return updated === null ? told : [...told, `${deed ?? ''} in pass ${updated + 1}`];
}

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
  const waves = (deletion?.waves ?? []).map(({ wave, objects }) =>
    html(
      'section',
      { class: 'object' },
      html('h3', {}, `Wave ${wave}`),
      html('ul', { class: 'deleted' }, ...objects.map((each) => item(each.object, each.node, each.finalizers ? `waits for ${each.finalizers.join(', ')}` : ''))),
    ),
  );
  const kept = deletion?.kept.length
    ? [html('section', { class: 'object' }, html('h3', {}, 'Stays'), html('ul', { class: 'deleted' }, ...deletion.kept.map((each) => item(each.object, each.node, each.reason))))]
    : [];
  return [html('p', { class: 'empty' }, 'When the instance is deleted, kro deletes in this order:'), ...waves, ...kept];
}
