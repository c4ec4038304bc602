// What goes in: the instance as it is created, and what it is edited to then, each as a form and as YAML.

import { html } from '../chrome';
import type { Preview } from './data';
import { Form } from './form';
import type { Scenario } from './scenario';

type Which = 'instance' | 'then';

export class InstancePanel {
  readonly #first = button('As created', 'The instance as somebody creates it');
  readonly #second = button('Then edited', 'The instance as somebody edits it when nothing changes any more: what is updated, what is deleted?');
  readonly #remove = button('×', 'Take the edit back');
  readonly #form = new Form((value) => {
    this.#write(JSON.stringify(value), false);
  });
  readonly #yaml = html('textarea', { class: 'code', spellcheck: 'false', 'aria-label': 'The instance as YAML' });
  readonly root = html(
    'div',
    { class: 'instance' },
    html('div', { class: 'which', role: 'group', 'aria-label': 'Which instance' }, this.#first, this.#second, this.#remove),
    this.#form.root,
    this.#yaml,
  );
  #which: Which = 'instance';
  #preview: Preview | null = null;
  /** Whether the YAML is the user's own text: then it stays as it is. */
  readonly #isOwn: Record<Which, boolean> = { instance: false, then: false };

  constructor(
    readonly scenario: Scenario,
    readonly changed: () => void,
  ) {
    this.#yaml.addEventListener('input', () => {
      this.#write(this.#yaml.value, true);
    });
    this.#first.addEventListener('click', () => {
      this.#choose('instance');
    });
    this.#second.addEventListener('click', () => {
      if (scenario.then === null) {
        scenario.then = this.#preview?.instanceText ?? '';
        this.changed();
      }
      this.#choose('then');
    });
    this.#remove.addEventListener('click', () => {
      scenario.then = null;
      this.changed();
      this.#choose('instance');
    });
  }

  show(preview: Preview): void {
    this.#preview = preview;
    this.#draw();
  }

  #write(text: string, isOwn: boolean): void {
    this.scenario[this.#which] = text;
    this.#isOwn[this.#which] = isOwn;
    this.changed();
  }

  #choose(which: Which): void {
    this.#which = which;
    this.#draw();
  }

  #draw(): void {
    const { scenario } = this;
    if (scenario.then === null) {
      this.#which = 'instance';
    }
    const isFirst = this.#which === 'instance';
    this.#first.setAttribute('aria-pressed', String(isFirst));
    this.#second.setAttribute('aria-pressed', String(!isFirst));
    this.#second.textContent = scenario.then === null ? '+ Then edit it' : 'Then edited';
    this.#remove.hidden = scenario.then === null;
    const preview = this.#preview;
    if (preview) {
      this.#form.show(isFirst ? preview.instanceValue : (preview.then?.value ?? preview.instanceValue), preview.schema, isFirst);
      this.#drawYaml(isFirst ? preview.instanceText : (preview.then?.text ?? scenario.then ?? ''));
    }
  }

  /** What the user is writing stays; everything else becomes what the server read. */
  #drawYaml(read: string): void {
    const own = this.#isOwn[this.#which] ? this.scenario[this.#which] : null;
    const text = own ?? read;
    if (document.activeElement !== this.#yaml && this.#yaml.value !== text) {
      this.#yaml.value = text;
    }
  }
}

function button(text: string, title: string): HTMLButtonElement {
  return html('button', { type: 'button', title, 'aria-label': title }, text);
}
