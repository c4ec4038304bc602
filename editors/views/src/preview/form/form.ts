// The form of an instance, made from its schema. It reports every change; the server writes the YAML.

import { html } from '../../chrome';
import type { Fault } from '../../wire';
import type { Schema } from './schema';
import { isMapping, valueAt, withoutValue, withValue, type Path } from '../values';
import { Faults } from './faults';
import { type Field, type Slot, spoken } from './field';
import { makeField } from './make';

/** What the form shows. */
export interface FormShown {
  value: unknown;
  schema: Schema;
  isNamespaced: boolean;
  /** Whether the instance may have another name, or namespace. */
  isNew: boolean;
  faults: readonly Fault[];
  /** Why nothing can be changed here now; empty where it can. */
  locked: string;
}

const NAME: Schema = { type: 'string' };
const NAMESPACE: Schema = { type: 'string', default: 'default' };

export class Form {
  readonly #note = html('p', { class: 'note', hidden: '' });
  readonly #faults = html('ul', { class: 'faults' });
  readonly #fields = html('fieldset', {});
  readonly root = html('form', { class: 'form', 'aria-label': 'Instance' }, this.#note, this.#faults, this.#fields);
  #known: { path: Path; field: Field }[] = [];
  #shape = '';
  #others = '[]';
  #value: unknown = {};
  #tree = new Faults();

  /** `changed` gets the whole instance. */
  constructor(readonly changed: (value: unknown) => void) {
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
    });
  }

  /** Shows an instance; what the user is typing stays as it is. */
  show({ value, schema, isNamespaced, isNew, faults, locked }: FormShown): void {
    const shape = JSON.stringify([schema, isNamespaced, isNew]);
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#build(schema, isNamespaced, isNew);
    }
    this.#value = value;
    this.#tree = new Faults(faults);
    this.#note.textContent = locked;
    this.#note.hidden = locked === '';
    this.#fields.disabled = locked !== '';
    this.#draw();
  }

  #build(schema: Schema, isNamespaced: boolean, isNew: boolean): void {
    const metadata: [string, Schema][] = [['name', NAME], ...(isNamespaced ? [['namespace', NAMESPACE] satisfies [string, Schema]] : [])];
    const slots: Slot[] = [
      ...(isNew ? metadata : []).map(([name, inner]) => this.#slot(['metadata', name], `metadata.${name}`, inner, name === 'name')),
      ...Object.entries(schema.properties ?? {}).map(([name, inner]) =>
        this.#slot(['spec', name], name, inner, schema.required?.includes(name) ?? false),
      ),
    ];
    this.#known = slots.map((slot) => ({ path: slot.path, field: makeField(slot) }));
    this.#fields.replaceChildren(...this.#known.map(({ field }) => field.root));
  }

  #slot(path: Path, name: string, schema: Schema, isRequired: boolean): Slot {
    return {
      path,
      name,
      schema,
      isRequired,
      write: (value) => {
        this.#value = value === undefined ? withoutValue(this.#value, path) : withValue(this.#value, path, value);
        this.#draw();
        this.changed(this.#value);
      },
    };
  }

  #draw(): void {
    for (const { path, field } of this.#known) {
      field.show(
        valueAt(isMapping(this.#value) ? this.#value : {}, path),
        path.reduce((faults, step) => faults.at(step), this.#tree),
      );
    }
    const places = new Set(this.#known.map(({ path }) => path.join('.')));
    const others = this.#tree.all.filter(({ path }) => !places.has(path.slice(0, 2).join('.')));
    const shape = JSON.stringify(others);
    if (shape !== this.#others) {
      this.#others = shape;
      this.#faults.replaceChildren(...others.map((fault) => this.#otherFault(fault)));
    }
  }

  /** A fault of what has no field here; what the API server drops can be removed. */
  #otherFault({ path, severity, message, text = message }: Fault): HTMLElement {
    const place = path.join('.');
    const isDropped = severity === 'warning' && path.length > 0;
    const row = html('li', { class: severity, title: text }, html('span', {}, place && !isDropped ? `${place}: ${message}` : message));
    if (isDropped) {
      const title = `Remove ${spoken(path)}`;
      const remove = html('button', { type: 'button', class: 'reset', title, 'aria-label': title }, '×');
      remove.addEventListener('click', () => {
        this.#value = withoutValue(this.#value, path);
        this.changed(this.#value);
        (this.#known.find((known) => known.path[0] === 'spec') ?? this.#known[0])?.field.focus();
      });
      row.append(remove);
    }
    return row;
  }
}
