// The objects after a pass, and those that it deleted, each as YAML that can be folded.

import { html } from '../chrome';
import { yamlLines } from './lines';
import { WORDS } from './nodeRow';
import type { ObjectAtPass, PassStates } from './passes';
import { type Row, Sections } from './sections';

const GROUPS = { none: 'All in one list', state: "By the node's state", pass: 'By pass', node: 'By node' };

interface Card {
  signature: string;
  element: HTMLElement;
}

/** What did not change keeps its elements, and so scroll and focus. */
export class ObjectList {
  readonly #list = html('div', { class: 'objects' });
  readonly #sections: Sections = new Sections(
    this.#list,
    { what: 'objects', search: 'Filter by node, kind, name or state', groups: GROUPS },
    () => {
      this.show(this.#passes, this.#at);
    },
    (folded) => {
      this.#folded = new Set(folded ? this.#cards.keys() : []);
    },
  );
  readonly root = this.#sections.root;
  #cards = new Map<string, Card>();
  #folded = new Set<string>();
  #passes: PassStates;
  #at = 0;

  constructor(
    passes: PassStates,
    readonly reveal: (line: number) => void,
  ) {
    this.#passes = passes;
  }

  /** How many objects are there. */
  count = 0;

  show(passes: PassStates, at: number): void {
    [this.#passes, this.#at] = [passes, at];
    const cards = new Map<string, Card>();
    const objects = passes.objects(at);
    this.count = objects.filter(({ deed }) => deed !== 'deleted').length;
    const rows = objects.map((each): Row => {
      const key = `${each.node} ${each.name}`;
      const isNow = (each.deed === 'created' ? each.created : each.updated) === at;
      const isFolded = this.#folded.has(key);
      const signature = JSON.stringify([each, isNow, isFolded]);
      const known = this.#cards.get(key);
      const card = known?.signature === signature ? known : { signature, element: this.#card(key, each, isNow, isFolded) };
      cards.set(key, card);
      return {
        element: card.element,
        section: this.#sectionOf(each),
        words: [each.node, each.name, this.#stateOf(each), ...historyOf(each)].join(' '),
      };
    });
    const focused = document.activeElement?.id;
    this.#cards = cards;
    this.#sections.show(rows, 'There are no objects yet.');
    if (focused?.startsWith('object-') && document.activeElement?.id !== focused) {
      document.getElementById(focused)?.focus({ preventScroll: true });
    }
  }

  focusSearch(): void {
    this.#sections.focusSearch();
  }

  /** Brings the first object that the shown pass concerned into view. */
  scrollToChanged(): void {
    this.root.querySelector('.object:is(.created, .updated, .deleted)')?.scrollIntoView({ block: 'start' });
  }

  /** Brings the first object of a node into view. */
  scrollTo(node: string): void {
    this.root.querySelector(`[data-object-of="${CSS.escape(node)}"]`)?.scrollIntoView({ block: 'nearest' });
  }

  #stateOf({ node }: ObjectAtPass): string {
    const state = this.#passes.node(this.#at, node)?.state;
    return state ? WORDS[state][1] : '';
  }

  #sectionOf(object: ObjectAtPass): string | null {
    switch (this.#sections.grouping) {
      case 'state':
        return this.#stateOf(object);
      case 'pass':
        return historyOf(object)[0] ?? '';
      case 'node':
        return object.node;
      default:
        return null;
    }
  }

  #card(key: string, object: ObjectAtPass, isNow: boolean, isFolded: boolean): HTMLElement {
    const deed = isNow ? object.deed : null;
    const caption = [object.node, ...historyOf(object)].join(' · ');
    const fold = html(
      'button',
      { type: 'button', class: 'fold', id: `object-${key}`, 'aria-expanded': String(!isFolded), title: isFolded ? 'Unfold' : 'Fold' },
      html('span', {}, object.name),
    );
    fold.addEventListener('click', () => {
      if (!this.#folded.delete(key)) {
        this.#folded.add(key);
      }
      this.show(this.#passes, this.#at);
    });
    return html(
      'section',
      {
        class: `object ${deed ?? ''}${isFolded ? ' folded' : ''}`.trim(),
        'data-object-of': object.node,
        'aria-label': deed ? `${object.name}, ${deed}` : object.name,
      },
      html('h3', {}, fold, html('small', {}, caption)),
      ...(isFolded ? [] : [yamlLines(object, this.reveal, deed === 'updated' ? object.before : null)]),
    );
  }
}

function historyOf({ created, updated, deed }: ObjectAtPass): string[] {
  const history = [created === null ? 'not applied' : `created in pass ${created + 1}`];
  return updated === null ? history : [...history, `${deed ?? ''} in pass ${updated + 1}`];
}
