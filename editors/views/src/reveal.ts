// Shows places of the text. A click leaves the focus in the view, whose keys would else be typed into the text.

import type { Range } from './wire';
import type { RevealHost } from './host';

export class Revealer {
  #last: Range | null = null;
  #isEnter = false;

  /** Enter and a double click within `root` take the focus along to the place. */
  constructor(
    readonly host: RevealHost,
    root: HTMLElement,
  ) {
    const listen = (type: 'keydown' | 'pointerdown', isEnter: (event: Event) => boolean): void => {
      root.addEventListener(type, (event) => (this.#isEnter = isEnter(event)), { capture: true });
    };
    listen('keydown', (event) => (event as KeyboardEvent).key === 'Enter');
    listen('pointerdown', () => {
      this.#last = null;
      return false;
    });
    root.addEventListener('dblclick', () => {
      if (this.#last) {
        this.#send(this.#last, true);
      }
    });
  }

  show(range: Range | null): void {
    this.#last = range;
    if (range) {
      this.#send(range, this.#isEnter);
    }
  }

  #send(range: Range, takesFocus: boolean): void {
    if (this.host.reveals) {
      this.host.send({ type: 'reveal', range, takesFocus });
    }
  }
}
