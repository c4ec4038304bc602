// Fields that hold fields: objects, lists and maps. Each can be folded.

import { html } from '../../chrome';
import type { Schema } from './schema';
import { emptyValue, isMapping, writeText } from '../values';
import type { Faults } from './faults';
import { type Field, Frame, idOf, type Slot, spoken } from './field';

export type Make = (slot: Slot) => Field;
type Step = string | number;

abstract class GroupField implements Field {
  readonly root: HTMLElement;
  protected readonly body = html('div', { class: 'body' });
  protected value: unknown;
  readonly #frame: Frame;
  readonly #fold: HTMLButtonElement;
  readonly #count = html('small', { class: 'count' });
  readonly #raw = html('code', { class: 'raw', hidden: '' });

  constructor(
    protected readonly slot: Slot,
    protected readonly make: Make,
  ) {
    this.#frame = new Frame(slot, () => {
      this.focus();
    });
    const { label, mark, reset, help, faults } = this.#frame;
    this.#fold = html(
      'button',
      { type: 'button', class: 'fold', 'aria-expanded': 'true' },
      html('span', { class: 'name' }, ...label.childNodes),
    );
    this.#frame.describe(this.#fold);
    this.#fold.addEventListener('click', () => {
      this.#setFolded(!this.body.hidden);
    });
    const head = html('div', { class: 'head' }, this.#fold, this.#raw, this.#count, mark, reset);
    this.root = html('div', { class: 'group-field', role: 'group', 'aria-label': slot.path.join('.') }, head, ...help, faults, this.body);
  }

  show(value: unknown, faults: Faults): void {
    this.value = value ?? undefined;
    const shown = this.value === undefined ? this.slot.schema.default : this.value;
    const isOther = shown !== undefined && shown !== null && !this.takes(shown);
    this.#raw.hidden = !isOther;
    this.#raw.textContent = isOther ? writeText(shown) : '';
    this.body.classList.toggle('other', isOther);
    const fields = this.reconcile(isOther ? undefined : shown, faults);
    this.#frame.show(this.root, value, faults.without(fields));
    this.#count.textContent = this.countText(shown);
    this.root.classList.toggle('wrong-inside', faults.errors > 0);
  }

  focus(): void {
    this.#fold.focus();
  }

  #setFolded(folded: boolean): void {
    this.body.hidden = folded;
    this.#fold.setAttribute('aria-expanded', String(!folded));
  }

  /** Whether a value is one that the fields can show. */
  protected abstract takes(value: unknown): boolean;

  /** Has the fields show what is inside, and returns where there are some. */
  protected abstract reconcile(shown: unknown, faults: Faults): ReadonlySet<Step>;

  /** How much is in it, for people. */
  protected abstract countText(shown: unknown): string;
}

/** An object, whose schema names its fields. */
export class ObjectField extends GroupField {
  readonly #fields = new Map<string, Field>();
  readonly #extras = html('ul', { class: 'extras' });

  constructor(slot: Slot, make: Make) {
    super(slot, make);
    for (const [name, schema] of Object.entries(slot.schema.properties ?? {})) {
      this.#fields.set(
        name,
        make({
          path: [...slot.path, name],
          name,
          schema,
          isRequired: slot.schema.required?.includes(name) ?? false,
          write: (value) => {
            this.#write(name, value);
          },
        }),
      );
    }
    this.body.append(...[...this.#fields.values()].map(({ root }) => root), this.#extras);
  }

  protected override takes(value: unknown): boolean {
    return isMapping(value);
  }

  protected override reconcile(shown: unknown, faults: Faults): ReadonlySet<string> {
    const members = isMapping(shown) ? shown : {};
    for (const [name, field] of this.#fields) {
      field.show(members[name], faults.at(name));
    }
    const extras = Object.keys(members).filter((name) => !this.#fields.has(name) && faults.at(name).own.length > 0);
    const keys = extras.join('\n');
    if (this.#extras.dataset['keys'] !== keys) {
      this.#extras.dataset['keys'] = keys;
      this.#extras.replaceChildren(...extras.map((name) => this.#extra(name, members[name])));
    }
    return new Set([...this.#fields.keys(), ...extras]);
  }

  protected override countText(): string {
    return '';
  }

  #extra(name: string, value: unknown): HTMLElement {
    const title = `Remove ${spoken([...this.slot.path, name])}`;
    const remove = html('button', { type: 'button', class: 'reset', title, 'aria-label': title }, '×');
    remove.addEventListener('click', () => {
      this.#write(name, undefined);
      this.focus();
    });
    const why = 'is not declared by the definition; the API server drops it';
    return html('li', {}, html('span', {}, html('strong', {}, name), ` ${why}`), html('code', {}, writeText(value)), remove);
  }

  #write(name: string, value: unknown): void {
    const shown = this.value === undefined ? this.slot.schema.default : this.value;
    const known = isMapping(shown) ? shown : {};
    const members = value === undefined ? withoutMember(known, name) : { ...known, [name]: value };
    // An object without members is taken away: it would miss what the schema requires of it.
    this.slot.write(Object.keys(members).length === 0 && !this.slot.isRequired ? undefined : members);
  }
}

/** A list: items are added at its end and removed anywhere. */
export class ListField extends GroupField {
  #fields: Field[] = [];
  readonly #rows = html('div', { class: 'rows' });

  constructor(slot: Slot, make: Make) {
    super(slot, make);
    const add = addButton(slot);
    add.addEventListener('click', () => {
      const at = this.#items.length;
      slot.write([...this.#items, emptyValue(this.#schema)]);
      this.#fields[at]?.focus();
    });
    this.body.append(this.#rows, add);
  }

  protected override takes(value: unknown): boolean {
    return Array.isArray(value);
  }

  protected override reconcile(shown: unknown, faults: Faults): ReadonlySet<number> {
    const items = Array.isArray(shown) ? (shown as unknown[]) : [];
    while (this.#fields.length > items.length) {
      this.#fields.pop()?.root.remove();
    }
    items.forEach((item, number) => {
      const field = this.#fields[number] ?? this.#add(number);
      field.show(item, faults.at(number));
    });
    return new Set(items.keys());
  }

  protected override countText(shown: unknown): string {
    const { length } = Array.isArray(shown) ? shown : [];
    return length === 1 ? '1 item' : `${length} items`;
  }

  get #schema(): Schema {
    return this.slot.schema.items ?? {};
  }

  get #items(): unknown[] {
    const shown = this.value === undefined ? this.slot.schema.default : this.value;
    return Array.isArray(shown) ? (shown as unknown[]) : [];
  }

  #add(number: number): Field {
    const field = this.make({
      path: [...this.slot.path, number],
      name: String(number + 1),
      schema: this.#schema,
      isRequired: true,
      write: (value) => {
        this.slot.write(this.#items.map((each, at) => (at === number ? value : each)));
      },
      remove: () => {
        this.slot.write(this.#items.filter((_, at) => at !== number));
        (this.#fields[Math.min(number, this.#fields.length - 1)] ?? this).focus();
      },
    });
    this.#fields.push(field);
    this.#rows.append(field.root);
    return field;
  }
}

/** A map: entries are added by their keys. */
export class MapField extends GroupField {
  readonly #fields = new Map<string, Field>();
  readonly #rows = html('div', { class: 'rows' });
  readonly #key = html('input', { type: 'text', placeholder: 'new key', spellcheck: 'false', autocomplete: 'off' });

  constructor(slot: Slot, make: Make) {
    super(slot, make);
    this.#key.id = `${idOf(slot.path)}+`;
    this.#key.setAttribute('aria-label', `New key of ${spoken(slot.path)}`);
    const add = addButton(slot);
    add.id = `${idOf(slot.path)}++`;
    add.addEventListener('click', () => {
      this.#addKey();
    });
    this.#key.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        this.#addKey();
      }
    });
    this.body.append(this.#rows, html('div', { class: 'row' }, this.#key, add));
  }

  protected override takes(value: unknown): boolean {
    return isMapping(value);
  }

  protected override reconcile(shown: unknown, faults: Faults): ReadonlySet<string> {
    const members = isMapping(shown) ? shown : {};
    for (const [key, field] of this.#fields) {
      if (!(key in members)) {
        field.root.remove();
        this.#fields.delete(key);
      }
    }
    for (const [key, value] of Object.entries(members)) {
      const field = this.#fields.get(key) ?? this.#add(key);
      field.show(value, faults.at(key));
    }
    return new Set(Object.keys(members));
  }

  protected override countText(shown: unknown): string {
    const count = isMapping(shown) ? Object.keys(shown).length : 0;
    return count === 1 ? '1 entry' : `${count} entries`;
  }

  get #schema(): Schema {
    const { additionalProperties } = this.slot.schema;
    return typeof additionalProperties === 'object' ? additionalProperties : {};
  }

  get #members(): Record<string, unknown> {
    const shown = this.value === undefined ? this.slot.schema.default : this.value;
    return isMapping(shown) ? shown : {};
  }

  #addKey(): void {
    const key = this.#key.value;
    if (key !== '' && !(key in this.#members)) {
      this.#key.value = '';
      this.slot.write({ ...this.#members, [key]: emptyValue(this.#schema) });
    }
    this.#fields.get(key)?.focus();
  }

  #add(key: string): Field {
    const field = this.make({
      path: [...this.slot.path, key],
      name: key,
      schema: this.#schema,
      isRequired: true,
      write: (value) => {
        this.slot.write({ ...this.#members, [key]: value });
      },
      remove: () => {
        this.slot.write(withoutMember(this.#members, key));
        this.#key.focus();
      },
    });
    this.#fields.set(key, field);
    this.#rows.append(field.root);
    return field;
  }
}

function withoutMember(members: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));
}

function addButton({ path }: Slot): HTMLButtonElement {
  const title = `Add to ${spoken(path)}`;
  return html('button', { type: 'button', class: 'add', title, 'aria-label': title, id: `${idOf(path)}+` }, '+ Add');
}
