// Fields with one control: texts, numbers, choices, and whatever a schema does not describe.

import { html } from '../../chrome';
import { readText, writeText } from '../values';
import type { Faults } from './faults';
import { type Field, Frame, type Slot } from './field';

abstract class ControlField implements Field {
  readonly root: HTMLElement;
  protected readonly frame: Frame;
  protected value: unknown;

  constructor(protected readonly slot: Slot) {
    this.frame = new Frame(slot, () => {
      this.focus();
    });
    const { label, help, mark, reset, faults } = this.frame;
    this.root = html('div', { class: 'field' }, label, html('div', { class: 'control' }, mark, reset), ...help, faults);
  }

  show(value: unknown, faults: Faults): void {
    this.value = value ?? undefined;
    this.frame.show(this.root, value, faults.all);
    this.draw();
    this.control.setAttribute('aria-invalid', String(faults.errors > 0));
  }

  abstract focus(): void;

  protected abstract get control(): HTMLElement;

  /** Has the control show the value, or its default. */
  protected abstract draw(): void;

  protected get shown(): unknown {
    return this.value === undefined ? this.slot.schema.default : this.value;
  }

  protected place(...elements: HTMLElement[]): void {
    this.frame.mark.before(...elements);
    elements.slice(0, 1).forEach((each) => {
      this.frame.describe(each);
    });
  }
}

/** A yes or no; what is not set shows its default, and neither of the two where it has none. */
export class BooleanField extends ControlField {
  readonly #box = html('input', { type: 'checkbox' });
  readonly #valueText = html('span', { class: 'value-text' });

  constructor(slot: Slot) {
    super(slot);
    this.place(this.#box, this.#valueText);
    this.#box.addEventListener('change', () => {
      slot.write(this.shown !== true);
    });
  }

  focus(): void {
    this.#box.focus();
  }

  protected override get control(): HTMLElement {
    return this.#box;
  }

  protected override draw(): void {
    const { shown } = this;
    this.#box.checked = shown === true;
    this.#box.indeterminate = typeof shown !== 'boolean';
    this.#valueText.textContent = writeText(shown);
  }
}

/** One of several values; one that is none of them stands among them, so that it is seen. */
export class ChoiceField extends ControlField {
  readonly #select = html('select');

  constructor(slot: Slot) {
    super(slot);
    this.place(this.#select);
    this.#select.addEventListener('change', () => {
      const { value } = this.#select;
      slot.write(value === '' ? undefined : (slot.schema.enum?.find((each) => JSON.stringify(each) === value) ?? this.value));
    });
  }

  focus(): void {
    this.#select.focus();
  }

  protected override get control(): HTMLElement {
    return this.#select;
  }

  protected override draw(): void {
    const { enum: choices = [], default: usual } = this.slot.schema;
    const isOther = this.value !== undefined && !choices.some((each) => JSON.stringify(each) === JSON.stringify(this.value));
    const unset = usual === undefined ? 'choose …' : `${writeText(usual)} (default)`;
    const options = [
      html('option', { value: '' }, unset),
      ...(isOther ? [this.value] : []).concat(choices).map((each) => html('option', { value: JSON.stringify(each) }, writeText(each))),
    ];
    if (options.map((each) => each.outerHTML).join('') !== this.#select.innerHTML) {
      this.#select.replaceChildren(...options);
    }
    this.#select.value = this.value === undefined ? '' : JSON.stringify(this.value);
  }
}

/** A text or a number; what is none is kept as it was typed, so that its error is seen beside it. */
export class TextField extends ControlField {
  #input: HTMLInputElement | HTMLTextAreaElement;
  /** What was last written here: while it counts, the text stays as it is typed. */
  #written: unknown = null;

  constructor(slot: Slot) {
    super(slot);
    this.#input = this.#make(false);
    this.place(this.#input);
  }

  focus(): void {
    this.#input.focus();
  }

  protected override get control(): HTMLElement {
    return this.#input;
  }

  protected override draw(): void {
    const text = writeText(this.shown);
    const isTyped = document.activeElement === this.#input;
    if (isTyped && JSON.stringify(this.#written) === JSON.stringify(this.value)) {
      return;
    }
    if (!isTyped && text.includes('\n') !== this.#input instanceof HTMLTextAreaElement) {
      const old = this.#input;
      this.#input = this.#make(text.includes('\n'));
      old.remove();
      this.place(this.#input);
    }
    this.#written = null;
    if (this.#input.value !== text) {
      this.#input.value = text;
    }
  }

  #make(isLong: boolean): HTMLInputElement | HTMLTextAreaElement {
    const common = { spellcheck: 'false', autocomplete: 'off' };
    // Not of the type number: such a field shows nothing at all where the value is none.
    const made = isLong
      ? html('textarea', { ...common, rows: '4' })
      : html('input', { ...common, type: 'text', ...(this.#isNumber ? { inputmode: 'decimal' } : {}) });
    made.addEventListener('input', () => {
      this.#written =
        made.value === '' && this.slot.schema.type !== 'string' && !this.slot.remove ? undefined : readText(made.value, this.slot.schema);
      this.slot.write(this.#written);
    });
    made.addEventListener('focus', () => {
      if (this.value === undefined) {
        made.select();
      }
    });
    made.addEventListener('blur', () => {
      this.#written = null;
      this.draw();
    });
    made.addEventListener('keydown', (event) => {
      const by = (event as KeyboardEvent).key === 'ArrowUp' ? 1 : (event as KeyboardEvent).key === 'ArrowDown' ? -1 : 0;
      if (by !== 0 && this.#isNumber) {
        event.preventDefault();
        this.#step(by);
      }
    });
    return made;
  }

  get #isNumber(): boolean {
    return this.slot.schema.type === 'integer' || this.slot.schema.type === 'number';
  }

  #step(by: 1 | -1): void {
    const { minimum = -Infinity, maximum = Infinity } = this.slot.schema;
    const now = typeof this.shown === 'number' ? this.shown : Math.max(minimum, 0) - by;
    const next = Math.min(Math.max(now + by, minimum), maximum);
    this.#input.value = String(next);
    this.#written = next;
    this.slot.write(next);
  }
}
