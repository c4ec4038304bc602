// A list under headings that can be folded, and the tools over it: search, grouping, all or none.

import { html } from '../chrome';

export interface Row {
  /** The words that a search looks through. */
  words: string;
  /** The heading that the row stands under, null for none. */
  section: string | null;
  element: HTMLElement;
}

export interface ToolNames {
  /** What the rows are: `nodes`. */
  what: string;
  search: string;
  groups: Record<string, string>;
}

/** Up to here a list is read at a glance. */
const FEW = 5;

export class Sections {
  readonly #search;
  readonly #group;
  readonly #found = html('span', { class: 'found-count', role: 'status' });
  readonly #fold = html('button', { type: 'button', class: 'fold-all' });
  readonly #tools: HTMLElement;
  readonly #list: HTMLElement;
  readonly root: HTMLElement;
  readonly #folded = new Set<string>();
  readonly #known = new Map<string, { root: HTMLElement; head: HTMLButtonElement; count: HTMLElement; list: HTMLElement }>();
  #titles: string[] = [];
  /** The rows that are to be seen, in their order. */
  shown: readonly HTMLElement[] = [];

  constructor(
    list: HTMLElement,
    readonly names: ToolNames,
    readonly changed: () => void,
    /** Folds or unfolds all rows, where there are no headings. */
    readonly foldRows?: (folded: boolean) => void,
  ) {
    this.#list = list;
    this.#search = html('input', {
      type: 'search',
      placeholder: 'Filter',
      title: `${names.search} (/)`,
      'aria-label': names.search,
      spellcheck: 'false',
      id: `filter-${names.what}`,
    });
    const options = Object.entries(names.groups).map(([value, text]) => html('option', { value }, text));
    this.#group = html('select', { 'aria-label': `Group ${names.what}`, title: `Group ${names.what}` }, ...options);
    this.#tools = html('div', { class: 'list-tools', role: 'search', hidden: '' }, this.#search, this.#found, this.#group, this.#fold);
    this.root = html('div', { class: 'sections' }, this.#tools, list);
    this.#search.addEventListener('input', changed);
    this.#search.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.#search.value !== '') {
        event.stopPropagation();
        this.#search.value = '';
        changed();
      }
    });
    this.#group.addEventListener('change', changed);
    this.#fold.addEventListener('click', () => {
      this.#foldAll(this.#fold.dataset['folds'] === 'true');
    });
    this.#drawFold();
  }

  /** How rows are grouped: a key of the groups that were named. */
  get grouping(): string {
    return this.#group.value;
  }

  focusSearch(): void {
    if (!this.#tools.hidden) {
      this.#search.focus();
      this.#search.select();
    }
  }

  show(rows: readonly Row[], empty: string): void {
    this.#tools.hidden = rows.length <= FEW && this.#search.value === '';
    const wanted = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter(({ words }) => wanted.every((word) => words.toLowerCase().includes(word)));
    this.#found.textContent = wanted.length ? `${found.length} of ${rows.length}` : '';
    this.#titles = [...new Set(found.flatMap(({ section }) => section ?? []))];
    const isOpen = ({ section }: Row): boolean => section === null || !this.#folded.has(section);
    const byTitle = this.#titles.map((title) => found.filter(({ section }) => section === title));
    this.shown = (this.#titles.length === 0 ? found : byTitle.flat().filter(isOpen)).map(({ element }) => element);
    const elements =
      this.#titles.length === 0
        ? found.map(({ element }) => element)
        : this.#titles.map((title, number) => this.#section(title, byTitle[number] ?? []));
    const text = rows.length ? `No ${this.names.what} match the filter.` : empty;
    arrange(this.#list, elements.length || text === '' ? elements : [html('li', { class: 'empty' }, text)]);
    this.#drawFold();
  }

  #section(title: string, rows: readonly Row[]): HTMLElement {
    const known = this.#known.get(title) ?? this.#make(title);
    const isFolded = this.#folded.has(title);
    known.count.textContent = String(rows.length);
    known.head.setAttribute('aria-expanded', String(!isFolded));
    known.list.hidden = isFolded;
    arrange(
      known.list,
      rows.map(({ element }) => element),
    );
    return known.root;
  }

  #make(title: string): { root: HTMLElement; head: HTMLButtonElement; count: HTMLElement; list: HTMLElement } {
    const count = html('span', { class: 'count' });
    const head = html('button', { type: 'button', class: 'fold section-head', id: `section-${this.names.what}-${title}` }, title, count);
    const list = html(this.#list instanceof HTMLUListElement ? 'ul' : 'div', { class: 'section-rows' });
    const root = html(this.#list instanceof HTMLUListElement ? 'li' : 'section', { class: 'section' }, head, list);
    head.addEventListener('click', () => {
      if (!this.#folded.delete(title)) {
        this.#folded.add(title);
      }
      this.changed();
    });
    const made = { root, head, count, list };
    this.#known.set(title, made);
    return made;
  }

  #foldAll(folded: boolean): void {
    if (this.#titles.length === 0) {
      this.foldRows?.(folded);
      this.#fold.dataset['folds'] = String(!folded);
    } else {
      this.#titles.forEach((title) => (folded ? this.#folded.add(title) : this.#folded.delete(title)));
    }
    this.changed();
  }

  #drawFold(): void {
    if (this.#titles.length > 0) {
      this.#fold.dataset['folds'] = String(this.#titles.some((title) => !this.#folded.has(title)));
    }
    this.#fold.dataset['folds'] ??= 'true';
    this.#fold.hidden = this.#titles.length === 0 && !this.foldRows;
    this.#fold.textContent = this.#fold.dataset['folds'] === 'true' ? 'Fold all' : 'Unfold all';
  }
}

/** Makes elements the children of another, in this order. What is there already stays, with its focus and selection. */
export function arrange(parent: HTMLElement, wanted: readonly HTMLElement[]): void {
  const kept = new Set<Element>(wanted);
  [...parent.children]
    .filter((each) => !kept.has(each))
    .forEach((each) => {
      each.remove();
    });
  const focused = document.activeElement as HTMLElement | null;
  wanted.forEach((element, number) => {
    if (parent.children[number] !== element) {
      parent.insertBefore(element, parent.children[number] ?? null);
    }
  });
  if (focused !== document.activeElement && focused?.isConnected) {
    focused.focus({ preventScroll: true });
  }
}
