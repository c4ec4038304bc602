// Tabs, as the ARIA practices describe them.

import { html } from '../chrome';

export interface Tab {
  name: string;
  panel: HTMLElement;
  /** Whether it has texts that no key reaches otherwise: then it takes the focus itself, so that keys scroll it. */
  isText?: boolean;
}

export class Tabs {
  readonly list: HTMLElement;
  readonly #buttons: HTMLButtonElement[];
  chosen = 0;

  constructor(
    label: string,
    readonly tabs: readonly Tab[],
    readonly changed: () => void = () => undefined,
  ) {
    this.#buttons = tabs.map(({ name, panel, isText = false }, number) => {
      const key = name.toLowerCase();
      panel.id = `panel-${key}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-label', name);
      if (isText) {
        panel.tabIndex = 0;
      }
      const button = html('button', { type: 'button', role: 'tab', id: `tab-${key}`, 'aria-controls': panel.id }, name);
      button.addEventListener('click', () => {
        this.choose(number);
      });
      return button;
    });
    this.list = html('div', { role: 'tablist', 'aria-label': label }, ...this.#buttons);
    this.list.addEventListener('keydown', (event) => {
      const goals: Record<string, number> = { ArrowRight: this.chosen + 1, ArrowLeft: this.chosen - 1, Home: 0, End: -1 };
      const goal = goals[event.key];
      if (goal !== undefined) {
        event.preventDefault();
        this.choose((goal + tabs.length) % tabs.length);
        this.#buttons[this.chosen]?.focus();
      }
    });
    this.#draw();
  }

  choose(number: number): void {
    this.chosen = number;
    this.#draw();
    this.changed();
  }

  /** A number beside a tab's name, 0 for none. */
  count(number: number, count: number): void {
    const name = this.tabs[number]?.name ?? '';
    this.#buttons[number]?.replaceChildren(name, ...(count ? [html('span', { class: 'count' }, String(count))] : []));
  }

  #draw(): void {
    this.#buttons.forEach((button, number) => {
      button.setAttribute('aria-selected', String(number === this.chosen));
      button.tabIndex = number === this.chosen ? 0 : -1;
    });
    this.tabs.forEach(({ panel }, number) => {
      panel.classList.toggle('chosen', number === this.chosen);
    });
  }
}
