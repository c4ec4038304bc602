// The form of an instance, made from its schema. It tells of every change; the server makes the YAML.

import { html } from '../chrome';
import type { Schema } from './data';
import { emptyValue, isMapping, readText, valueAt, withoutValue, withValue, writeText, type Path } from './values';

/** Deeper than this a value is edited as JSON: nobody reads such a form. */
const DEEPEST = 6;

export class Form {
  readonly root = html('form', { class: 'form', 'aria-label': 'Instance' });
  #schema: Schema = {};
  #value: unknown = {};
  #withName = true;
  #shape = '';

  /** `changed` gets the whole instance. */
  constructor(readonly changed: (value: unknown) => void) {
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
    });
    this.root.addEventListener('focusout', () => {
      setTimeout(() => {
        this.show(this.#value, this.#schema, this.#withName);
      }, 0);
    });
  }

  /** Shows an instance, with its name if that may be another one; what the user is writing in stays as it is. */
  show(value: unknown, schema: Schema, withName: boolean): void {
    [this.#value, this.#schema, this.#withName] = [value, schema, withName];
    const shape = JSON.stringify([value, schema, withName]);
    if (shape !== this.#shape && !this.root.contains(document.activeElement)) {
      this.#shape = shape;
      this.root.replaceChildren(
        ...(withName ? [this.#line(['metadata', 'name'], 'metadata.name', { type: 'string', description: "The instance's name" }, true)] : []),
        ...this.#members(['spec'], schema),
      );
    }
  }

  #set(value: unknown, isOtherShape = false): void {
    this.#value = value;
    if (isOtherShape) {
      const id = document.activeElement?.id;
      (document.activeElement as HTMLElement | null)?.blur();
      this.show(value, this.#schema, this.#withName);
      (id ? document.getElementById(id) : null)?.focus();
    }
    this.changed(value);
  }

  #members(path: Path, schema: Schema): HTMLElement[] {
    return Object.entries(schema.properties ?? {}).map(([name, inner]) =>
      this.#field([...path, name], name, inner, schema.required?.includes(name) ?? false),
    );
  }

  #field(path: Path, name: string, schema: Schema, required: boolean): HTMLElement {
    const isDeep = path.length > DEEPEST;
    if (schema.type === 'object' && schema.properties && !isDeep) {
      return group(name, schema, ...this.#members(path, schema));
    }
    if (schema.type === 'array' && schema.items && !isDeep) {
      return this.#list(path, name, schema, schema.items);
    }
    if (schema.type === 'object' && typeof schema.additionalProperties === 'object' && !isDeep) {
      return this.#map(path, name, schema, schema.additionalProperties);
    }
    return this.#line(path, name, schema, required);
  }

  #list(path: Path, name: string, schema: Schema, items: Schema): HTMLElement {
    const value = valueAt(this.#value, path);
    const entries = Array.isArray(value) ? (value as unknown[]) : [];
    const rows = entries.map((_, number) => this.#removable([...path, number], `${number + 1}`, items, `${name} ${number + 1}`));
    const add = button('+ Add', `Add to ${name}`, `${idOf(path)}+`, () => {
      this.#set(withValue(this.#value, [...path, entries.length], emptyValue(items)), true);
    });
    return group(name, schema, ...rows, add);
  }

  #map(path: Path, name: string, schema: Schema, values: Schema): HTMLElement {
    const value = valueAt(this.#value, path);
    const rows = Object.keys(isMapping(value) ? value : {}).map((key) => this.#removable([...path, key], key, values, `${name} ${key}`));
    const key = html('input', { id: `${idOf(path)}+`, placeholder: 'new key', 'aria-label': `New key of ${name}` });
    const add = (): void => {
      if (key.value !== '') {
        this.#set(withValue(this.#value, [...path, key.value], emptyValue(values)), true);
      }
    };
    key.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        add();
      }
    });
    return group(name, schema, ...rows, html('div', { class: 'row' }, key, button('+ Add', `Add to ${name}`, `${idOf(path)}++`, add)));
  }

  #removable(path: Path, name: string, schema: Schema, spoken: string): HTMLElement {
    const remove = button('×', `Remove ${spoken}`, `${idOf(path)}-`, () => {
      this.#set(withoutValue(this.#value, path), true);
    });
    return html('div', { class: 'removable' }, this.#field(path, name, schema, true), remove);
  }

  #line(path: Path, name: string, schema: Schema, required: boolean): HTMLElement {
    const control = this.#control(path, schema);
    control.id = idOf(path);
    const tells = [schema.description, schema.default === undefined ? '' : `default ${writeText(schema.default)}`].filter(Boolean).join(' · ');
    const label = html('label', { for: control.id, ...(tells ? { title: tells } : {}) }, name);
    if (required && schema.default === undefined && !/^\d+$/.test(name)) {
      label.append(html('span', { class: 'required', title: 'required' }, ' *'));
      control.setAttribute('aria-required', 'true');
    }
    return html('div', { class: 'field' }, label, control);
  }

  #control(path: Path, schema: Schema): HTMLInputElement | HTMLSelectElement {
    const value = valueAt(this.#value, path);
    if (schema.type === 'boolean') {
      const box = html('input', { type: 'checkbox' });
      box.checked = value === true;
      box.addEventListener('change', () => {
        this.#set(withValue(this.#value, path, box.checked));
      });
      return box;
    }
    if (schema.enum) {
      const choices = schema.enum.map(writeText);
      const shown = choices.includes(writeText(value)) ? choices : [writeText(value), ...choices];
      const select = html('select', {}, ...shown.map((each) => html('option', { value: each }, each)));
      select.value = writeText(value);
      select.addEventListener('change', () => {
        this.#set(withValue(this.#value, path, schema.enum?.find((each) => writeText(each) === select.value) ?? select.value));
      });
      return select;
    }
    const isNumber = schema.type === 'integer' || schema.type === 'number';
    const input = html('input', {
      type: isNumber ? 'number' : 'text',
      spellcheck: 'false',
      autocomplete: 'off',
      ...(isNumber && schema.type === 'number' ? { step: 'any' } : {}),
      ...(schema.minimum === undefined ? {} : { min: String(schema.minimum) }),
      ...(schema.maximum === undefined ? {} : { max: String(schema.maximum) }),
      ...(schema.default === undefined ? {} : { placeholder: writeText(schema.default) }),
    });
    input.value = writeText(value);
    input.addEventListener('input', () => {
      // An emptied field is left out, so that its default counts; of a list or map it would be another one.
      const isMember = typeof path.at(-1) === 'string' && schema.type !== 'string';
      const isLeftOut = input.value === '' && (isMember || schema.default !== undefined);
      this.#set(isLeftOut ? withoutValue(this.#value, path) : withValue(this.#value, path, readText(input.value, schema)));
    });
    return input;
  }
}

function group(name: string, schema: Schema, ...children: Node[]): HTMLElement {
  const title = html('summary', schema.description ? { title: schema.description } : {}, name);
  return html('details', { open: '', class: 'group-field' }, title, ...children);
}

function button(text: string, title: string, id: string, action: () => void): HTMLButtonElement {
  const made = html('button', { type: 'button', title, 'aria-label': title, id }, text);
  made.addEventListener('click', action);
  return made;
}

function idOf(path: Path): string {
  return `field-${path.join('.')}`;
}
