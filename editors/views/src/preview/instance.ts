// What goes in: the instance as it is created, and what it is edited to then, each as a form and as YAML.

import { html } from '../chrome';
import type { Preview } from '../wire';
import type { Schema } from './form/schema';
import type { Assistant } from './editor/assistant';
import { EditorBox } from './editor/box';
import { idOf } from './form/field';
import { Form } from './form/form';
import type { Scenario } from './scenario';
import type { Path } from './values';

type Which = 'instance' | 'then';

export class InstancePanel {
  readonly #first = button('As created', 'The instance as somebody creates it');
  readonly #second = button(
    'Then edited',
    'The instance as somebody edits it when nothing changes any more: what is updated, what is deleted?',
  );
  readonly #remove = button('×', 'Take the edit back');
  readonly #form = new Form((value) => {
    this.#values[this.#which] = value;
    this.#write(JSON.stringify(value), false);
  });
  readonly #yaml: EditorBox;
  readonly root: HTMLElement;
  #which: Which = 'instance';
  /** Which of the two the editor has. */
  #edited: Which | null = null;
  #preview: Preview | null = null;
  /** Whether the YAML is the user's own text: then it stays as it is. */
  readonly #isOwn: Record<Which, boolean> = { instance: false, then: false };
  /** The instances as the form shows them. */
  readonly #values: Record<Which, unknown> = { instance: {}, then: {} };

  constructor(
    readonly scenario: Scenario,
    assistant: Assistant,
    readonly changed: () => void,
  ) {
    this.#yaml = new EditorBox({
      id: 'instance-yaml',
      label: 'The instance as YAML',
      placeholder: '',
      ask: assistant.about(() => ({ of: 'instance' })),
      changed: (text) => {
        this.#write(text, true);
      },
    });
    const which = html('div', { class: 'which', role: 'group', 'aria-label': 'Which instance' }, this.#first, this.#second, this.#remove);
    this.root = html('div', { class: 'instance' }, which, this.#form.root, this.#yaml.root);
    this.#first.addEventListener('click', () => {
      this.#choose('instance');
    });
    this.#second.addEventListener('click', () => {
      if (scenario.then === null) {
        scenario.then = this.#preview?.instanceText ?? '';
        this.#isOwn.then = true;
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

  /** Goes to the field at a path, or to the nearest one around it that the form has. */
  focusField(path: Path): void {
    for (let steps = path.length; steps > 0; steps--) {
      const field = document.getElementById(idOf(path.slice(0, steps)));
      if (field) {
        field.scrollIntoView({ block: 'nearest' });
        field.focus();
        return;
      }
    }
    this.#yaml.focus();
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
    if (this.#preview) {
      this.#drawForm(this.#preview);
      this.#drawYaml(this.#preview);
    }
  }

  #drawForm(preview: Preview): void {
    const which = this.#which;
    const faults = preview.faults.filter((each) => each.of === which);
    const unread = faults.find(({ line }) => line !== undefined);
    // What the form wrote itself is newer than what the server answers meanwhile; a text that is no YAML says nothing.
    if (unread === undefined && (this.scenario[which] === null || this.#isOwn[which])) {
      this.#values[which] = which === 'instance' ? preview.instanceValue : (preview.then?.value ?? preview.instanceValue);
    }
    this.#form.show({
      value: this.#values[which],
      schema: preview.schema as Schema,
      isNamespaced: preview.namespaced,
      isNew: which === 'instance',
      faults: faults.filter(({ line }) => line === undefined),
      locked: unread ? `Line ${(unread.line ?? 0) + 1} of the YAML below cannot be read, so the form waits: ${unread.message}` : '',
    });
  }

  /** What the user is writing stays; everything else becomes what the server read. */
  #drawYaml(preview: Preview): void {
    const which = this.#which;
    const value = which === 'instance' ? preview.instanceValue : preview.then?.value;
    const read = which === 'instance' ? preview.instanceText : (preview.then?.text ?? this.scenario.then ?? '');
    const isFromForm = this.scenario[which] !== null && !this.#isOwn[which];
    if (isFromForm && JSON.stringify(value) !== JSON.stringify(this.#values[which])) {
      return; // the answer to what the form says now is still to come
    }
    const text = (this.#isOwn[which] ? this.scenario[which] : null) ?? read;
    if (which !== this.#edited) {
      this.#edited = which;
      this.#yaml.begin(text);
    } else if (!this.#yaml.hasFocus) {
      this.#yaml.show(text);
    }
    this.#yaml.checkFor(JSON.stringify(preview.schema));
  }
}

function button(text: string, title: string): HTMLButtonElement {
  return html('button', { type: 'button', title, 'aria-label': title }, text);
}
