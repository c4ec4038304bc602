// A small picture of the whole, while only a part of it is seen: a click or a drag goes elsewhere.

import type { Layout, Rectangle } from './layout';
import type { Look } from './look';
import { iconOf } from './icons';
import type { Model } from './model';
import { element, KeyedChildren, type Element } from './svg';
import type { Viewport } from './viewport';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const LARGEST = { width: 190, height: 150 };
/** By how much the picture may be larger than the pane before there is a map of it: the margins of the picture. */
const TOLERANCE = 6;

export class Minimap {
  readonly svg: SVGSVGElement;
  /** Whether the user wants one. */
  isOn = true;
  readonly #shapes;
  readonly #window;
  #bounds: Rectangle = { x: 0, y: 0, width: 1, height: 1 };
  #scale = 1;

  constructor(readonly viewport: Viewport) {
    const made = (name: string): SVGElement => document.createElementNS(NAMESPACE, name);
    this.svg = made('svg') as SVGSVGElement;
    this.svg.setAttribute('class', 'minimap');
    this.svg.setAttribute('aria-hidden', 'true');
    const group = made('g') as SVGGElement;
    this.#shapes = new KeyedChildren(group);
    this.#window = made('rect');
    this.#window.setAttribute('class', 'seen');
    this.svg.append(group, this.#window);
    viewport.listen(() => {
      this.#follow();
    });
    this.svg.addEventListener('pointerdown', (event) => {
      // The focus, and with it the keys, stay with the picture.
      event.preventDefault();
      this.svg.setPointerCapture(event.pointerId);
      this.#go(event);
    });
    this.svg.addEventListener('pointermove', (event) => {
      if (this.svg.hasPointerCapture(event.pointerId)) {
        this.#go(event);
      }
    });
  }

  show(model: Model, { boxes, bounds }: Layout, look: Look): void {
    this.#bounds = bounds;
    this.#scale = Math.min(LARGEST.width / bounds.width, LARGEST.height / bounds.height);
    this.svg.setAttribute('width', String(Math.ceil(bounds.width * this.#scale)));
    this.svg.setAttribute('height', String(Math.ceil(bounds.height * this.#scale)));
    this.svg.setAttribute('viewBox', `${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`);
    const shapes = new Map<string, Element>();
    for (const box of model.boxes.values()) {
      const place = boxes.get(box.id);
      if (place) {
        const kind = box.isExpanded
          ? 'around'
          : box.type === 'Group'
            ? 'badge-group'
            : `badge-${iconOf(box.subtitle, box.apiVersion).family}`;
        const state = box.problems.some((each) => each.severity === 'error') ? ' wrong' : look.selected === box.id ? ' selected' : '';
        // A frame lies under its members, which it would hide.
        shapes.set(
          box.id,
          element('rect', { class: box.isExpanded ? kind : kind + state, ...place, rx: 6 / Math.max(this.#scale, 0.1) / 4 }),
        );
      }
    }
    this.#shapes.update(shapes);
    this.#follow();
  }

  #follow(): void {
    const { window: seen } = this.viewport;
    const { x, y, width, height } = this.#bounds;
    const slack = TOLERANCE / this.viewport.scale;
    const isWhole =
      seen.x <= x + slack && seen.y <= y + slack && seen.x + seen.width >= x + width - slack && seen.y + seen.height >= y + height - slack;
    this.svg.style.display = this.isOn && !isWhole ? '' : 'none';
    const [left, top] = [Math.max(seen.x, x), Math.max(seen.y, y)];
    const [right, bottom] = [Math.min(seen.x + seen.width, x + width), Math.min(seen.y + seen.height, y + height)];
    const place = { x: left, y: top, width: Math.max(right - left, 0), height: Math.max(bottom - top, 0) };
    Object.entries(place).forEach(([name, value]) => {
      this.#window.setAttribute(name, String(value));
    });
    this.#window.setAttribute('stroke-width', String(2 / this.#scale));
  }

  #go({ clientX, clientY }: PointerEvent): void {
    const { left, top } = this.svg.getBoundingClientRect();
    this.viewport.center({ x: this.#bounds.x + (clientX - left) / this.#scale, y: this.#bounds.y + (clientY - top) / this.#scale });
  }

  /** Shows or hides it, as the user wants. */
  toggle(isOn: boolean): void {
    this.isOn = isOn;
    this.#follow();
  }
}
