// Elements as plain values: they become a text on the command line and in exports, and DOM elements in a page.

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

type Value = string | number | boolean | null | undefined;

/** An element; attributes that are null, undefined or false are left out. */
export function element(name: string, attributes: Record<string, Value>, ...children: (Element | string)[]): Element {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      kept[key] = typeof value === 'number' ? String(Math.round(value * 10) / 10) : String(value);
    }
  }
  return { name, attributes: kept, children };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escape(text: string): string {
  // Control characters cannot stand in XML at all.
  // eslint-disable-next-line no-control-regex
  return text.replace(/[&<>"]/g, (found) => ESCAPES[found] ?? '').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '�');
}

export function toText(node: Element | string): string {
  if (typeof node === 'string') {
    return escape(node);
  }
  const attributes = Object.entries(node.attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  return `<${node.name}${attributes.join('')}>${node.children.map(toText).join('')}</${node.name}>`;
}

const NAMESPACE = 'http://www.w3.org/2000/svg';

export function toDom(node: Element | string): Node {
  if (typeof node === 'string') {
    return document.createTextNode(node);
  }
  const made = document.createElementNS(NAMESPACE, node.name);
  for (const [key, value] of Object.entries(node.attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...node.children.map(toDom));
  return made;
}

interface Shown {
  dom: SVGElement;
  element: Element;
}

function isSame(one: Element | string, other: Element | string | undefined): boolean {
  if (typeof one === 'string' || typeof other === 'string' || other === undefined) {
    return one === other;
  }
  return one.name === other.name && haveSameAttributes(one, other) && haveSameChildren(one, other);
}

function haveSameAttributes({ attributes: one }: Element, { attributes: other }: Element): boolean {
  for (const name in other) {
    if (!(name in one)) {
      return false;
    }
  }
  for (const name in one) {
    if (one[name] !== other[name]) {
      return false;
    }
  }
  return true;
}

function haveSameChildren({ children: one }: Element, { children: other }: Element): boolean {
  return one.length === other.length && one.every((child, number) => isSame(child, other[number]));
}

/** Makes what shows one element show another, and touches only what differs. */
function change(dom: SVGElement, shown: Element, wanted: Element): void {
  for (const name in shown.attributes) {
    if (!(name in wanted.attributes)) {
      dom.removeAttribute(name);
    }
  }
  for (const [name, value] of Object.entries(wanted.attributes)) {
    if (shown.attributes[name] !== value) {
      dom.setAttribute(name, value);
    }
  }
  if (!haveSameNames(shown.children, wanted.children)) {
    dom.replaceChildren(...wanted.children.map(toDom));
    return;
  }
  wanted.children.forEach((child, number) => {
    const before = shown.children[number];
    const node = dom.childNodes[number];
    if (isSame(child, before) || !node) {
      return;
    }
    if (typeof child === 'string') {
      node.textContent = child;
    } else {
      change(node as SVGElement, before as Element, child);
    }
  });
}

function haveSameNames(some: Element['children'], others: Element['children']): boolean {
  const nameOf = (child: Element | string | undefined): string | undefined => (typeof child === 'object' ? child.name : typeof child);
  return some.length === others.length && some.every((child, number) => nameOf(child) === nameOf(others[number]));
}

/** Keeps the children of a group equal to a list of elements, each known by its key, and touches only what changed. */
export class KeyedChildren {
  readonly #shown = new Map<string, Shown>();

  constructor(readonly group: SVGElement) {}

  get(key: string): SVGElement | undefined {
    return this.#shown.get(key)?.dom;
  }

  /** Has the element of one key be that of another one. */
  rename(key: string, other: string): void {
    const shown = this.#shown.get(key);
    if (shown && !this.#shown.has(other)) {
      this.#shown.delete(key);
      this.#shown.set(other, shown);
    }
  }

  update(elements: ReadonlyMap<string, Element>): { added: SVGElement[] } {
    const added: SVGElement[] = [];
    for (const [key, { dom }] of this.#shown) {
      if (!elements.has(key)) {
        dom.remove();
        this.#shown.delete(key);
      }
    }
    for (const [key, wanted] of elements) {
      const shown = this.#shown.get(key);
      if (shown === undefined) {
        const dom = toDom(wanted) as SVGElement;
        this.#shown.set(key, { dom, element: wanted });
        this.group.append(dom);
        added.push(dom);
        continue;
      }
      if (!isSame(wanted, shown.element)) {
        change(shown.dom, shown.element, wanted);
      }
      shown.element = wanted;
    }
    return { added };
  }
}
