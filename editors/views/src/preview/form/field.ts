// A field of the form: what all have in common. Which one a schema has is said in `make.ts`.

import { html } from '../../chrome';
import type { Fault } from '../../wire';
import type { Schema } from './schema';
import { writeText, type Path } from '../values';
import type { Faults } from './faults';
import { defaultText, helpText, typeText } from './hints';

/** Where a field stands, and how its value becomes another one. */
export interface Slot {
  readonly path: Path;
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Takes a new value; undefined takes the field away. */
  write(value: unknown): void;
  /** Takes an item or entry away; undefined for what is a field of its object. */
  readonly remove?: () => void;
}

export interface Field {
  readonly root: HTMLElement;
  /** Shows a value, undefined for one that is not set. What the user is typing stays as it is. */
  show(value: unknown, faults: Faults): void;
  focus(): void;
}

export function idOf(path: Path): string {
  return `field-${path.join('.')}`;
}

/** A path as it is said: `zones 2`. */
export function spoken(path: Path): string {
  return path
    .slice(1)
    .map((step) => (typeof step === 'number' ? step + 1 : step))
    .join(' ');
}

/** The label, marks, help and faults around the control of a field. */
export class Frame {
  readonly mark = html('span', { class: 'mark' });
  readonly faults = html('ul', { class: 'faults' });
  readonly label: HTMLElement;
  readonly help: HTMLElement[];
  readonly reset: HTMLButtonElement;

  constructor(
    readonly slot: Slot,
    focus: () => void,
  ) {
    const { path, name, schema, isRequired } = slot;
    const id = idOf(path);
    const usual = defaultText(schema);
    const required = isRequired && schema.default === undefined && slot.remove === undefined;
    this.label = html(
      'label',
      { for: id, id: `${id}-label`, title: path.join('.') },
      html('span', { class: 'name' }, ...name.split(/(?<=\.)/).flatMap((part) => [part, html('wbr')])),
      ...(required ? [html('span', { class: 'required', title: 'required' }, ' *')] : []),
      html('small', { class: 'type' }, typeText(schema), ...(usual ? [html('span', { class: 'usual' }, ` · ${usual}`)] : [])),
    );
    const text = helpText(schema);
    this.help = text ? [html('p', { class: 'help', id: `${id}-help` }, text)] : [];
    this.faults.id = `${id}-faults`;
    this.mark.id = `${id}-mark`;
    this.reset = this.#button(focus);
  }

  /** Ties a control to its label and to all that is said of it. */
  describe(control: HTMLElement): void {
    const id = idOf(this.slot.path);
    control.id = id;
    control.setAttribute('aria-describedby', [...this.help, this.mark, this.faults].map((each) => each.id).join(' '));
    if (this.slot.isRequired && this.slot.schema.default === undefined) {
      control.setAttribute('aria-required', 'true');
    }
  }

  show(root: HTMLElement, value: unknown, faults: readonly Fault[]): void {
    const isSet = value !== undefined && value !== null;
    const hasDefault = this.slot.schema.default !== undefined;
    this.mark.textContent = isSet ? '' : hasDefault ? 'default' : 'not set';
    this.mark.hidden = isSet;
    this.reset.classList.toggle('unused', this.slot.remove === undefined && !isSet);
    root.classList.toggle('is-default', !isSet && hasDefault);
    root.classList.toggle('is-unset', !isSet && !hasDefault);
    this.showFaults(root, faults);
  }

  showFaults(root: HTMLElement, faults: readonly Fault[]): void {
    root.classList.toggle(
      'wrong',
      faults.some(({ severity }) => severity === 'error'),
    );
    const from = this.slot.path.length;
    const lines = faults.map((fault) => {
      const place = fault.path.slice(from).join('.');
      return html(
        'li',
        { class: fault.severity, title: fault.text ?? fault.message },
        place ? `${place}: ${fault.message}` : fault.message,
      );
    });
    if (lines.map((line) => line.outerHTML).join('') !== this.faults.innerHTML) {
      this.faults.replaceChildren(...lines);
      if (root.contains(document.activeElement)) {
        // What is wrong with the field that somebody types in is seen, also where the form ends below it.
        this.faults.scrollIntoView({ block: 'nearest' });
      }
    }
  }

  #button(focus: () => void): HTMLButtonElement {
    const { slot } = this;
    const { remove } = slot;
    const place = spoken(slot.path);
    const { default: value } = slot.schema;
    const title = remove ? `Remove ${place}` : value === undefined ? `Take ${place} away` : `Reset ${place} (default: ${writeText(value)})`;
    const made = html(
      'button',
      { type: 'button', class: 'reset', title, 'aria-label': title, id: `${idOf(slot.path)}-` },
      remove ? '×' : '↺',
    );
    made.addEventListener('click', () => {
      if (remove) {
        remove();
      } else {
        slot.write(undefined);
        focus();
      }
    });
    return made;
  }
}
