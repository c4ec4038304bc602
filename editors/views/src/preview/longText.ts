// A text that is shown short, and in full on demand: wrapped, and to be copied.

import { html } from '../chrome';

const COPIED_MILLISECONDS = 1500;

export class LongText {
  readonly #more = html('button', { type: 'button', class: 'more', 'aria-expanded': 'false' }, 'More');
  readonly #full = html('pre', { class: 'full-text', tabindex: '0' });
  readonly #copy = html('button', { type: 'button', class: 'copy' }, 'Copy');
  readonly #panel = html('div', { class: 'full', hidden: '' }, this.#full, this.#copy);
  readonly root: HTMLElement;
  #differs = false;

  /** `short` is the element with the short text, and `cut` what in it is cut; the names of the buttons say `about` what it is. */
  constructor(
    readonly short: HTMLElement,
    about: string,
    readonly cut = short,
  ) {
    this.#more.id = `more-${about}`;
    this.#more.setAttribute('aria-label', `All that is said of ${about}`);
    this.#copy.setAttribute('aria-label', `Copy what is said of ${about}`);
    this.root = html('div', { class: 'long-text' }, html('div', { class: 'short-line' }, short, this.#more), this.#panel);
    this.#more.addEventListener('click', () => {
      this.#open(this.#panel.hidden);
    });
    this.#copy.addEventListener('click', () => {
      void this.#copyText();
    });
    this.root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.#panel.hidden) {
        event.stopPropagation();
        this.#open(false);
        this.#more.focus();
      }
    });
    new ResizeObserver(() => {
      this.#drawMore();
    }).observe(cut);
  }

  /** Shows what is said in full; the short text is its element's own. */
  show(full: string): void {
    this.#differs = full.replace(/\s+/g, ' ').trim() !== this.short.textContent.replace(/\s+/g, ' ').trim();
    if (this.#full.textContent !== full) {
      this.#full.textContent = full;
    }
    this.#drawMore();
  }

  #open(open: boolean): void {
    this.#panel.hidden = !open;
    this.#more.setAttribute('aria-expanded', String(open));
    this.#more.textContent = open ? 'Less' : 'More';
  }

  /** There is more to be seen where the texts differ, or where the short one is cut. */
  #drawMore(): void {
    const { cut } = this;
    const isCut = cut.scrollWidth > cut.clientWidth + 1 || cut.scrollHeight > cut.clientHeight + 1;
    this.#more.hidden = this.#panel.hidden && !this.#differs && !isCut;
  }

  async #copyText(): Promise<void> {
    const text = this.#full.textContent;
    try {
      await navigator.clipboard.writeText(text);
      this.#copy.textContent = 'Copied';
      setTimeout(() => {
        this.#copy.textContent = 'Copy';
      }, COPIED_MILLISECONDS);
    } catch {
      // Where the page may not write to the clipboard, the text is selected for the user's own key.
      getSelection()?.selectAllChildren(this.#full);
    }
  }
}
