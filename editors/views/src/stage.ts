// The picture on the screen: keeps the elements equal to what is drawn, and lets what moves be seen moving.

import { draw, type Look } from './draw';
import { MANY_BOXES, type Layout } from './layout';
import type { Model } from './model';
import { KeyedChildren } from './svg';
import { Viewport } from './viewport';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const MOVE_MILLISECONDS = 260;

export class Stage {
  readonly svg: SVGSVGElement;
  readonly viewport: Viewport;
  readonly #bands;
  readonly #arrows;
  readonly #boxes;
  #places: Layout['boxes'] = new Map();

  constructor(label: string, helpId: string) {
    this.svg = document.createElementNS(NAMESPACE, 'svg');
    this.svg.setAttribute('class', 'graph');
    this.svg.setAttribute('role', 'group');
    this.svg.setAttribute('tabindex', '0');
    this.svg.setAttribute('aria-label', label);
    this.svg.setAttribute('aria-describedby', helpId);
    const content = document.createElementNS(NAMESPACE, 'g');
    const layers = [0, 1, 2].map(() => document.createElementNS(NAMESPACE, 'g')) as [SVGGElement, SVGGElement, SVGGElement];
    layers[0].setAttribute('aria-hidden', 'true');
    layers[1].setAttribute('aria-hidden', 'true');
    content.append(...layers);
    this.svg.append(content);
    this.viewport = new Viewport(this.svg, content);
    this.#bands = new KeyedChildren(layers[0]);
    this.#arrows = new KeyedChildren(layers[1]);
    this.#boxes = new KeyedChildren(layers[2]);
  }

  box(id: string): SVGElement | undefined {
    return this.#boxes.get(id);
  }

  show(model: Model, layout: Layout, look: Look): void {
    const picture = draw(model, layout, look);
    this.#bands.update(picture.bands);
    const { added } = this.#arrows.update(picture.arrows);
    this.#boxes.update(picture.boxes);
    for (const id of look.highlight?.arrows ?? []) {
      const arrow = this.#arrows.get(id);
      arrow?.parentNode?.append(arrow);
    }
    this.#animate(layout, added);
    this.#places = layout.boxes;
  }

  #animate(layout: Layout, newArrows: readonly SVGElement[]): void {
    const isFirst = this.#places.size === 0;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    // What is animated becomes layers of its own, which many boxes make so costly that the next key would wait for them.
    if (isFirst || calm || layout.boxes.size > MANY_BOXES) {
      return;
    }
    const timing = { duration: MOVE_MILLISECONDS, easing: 'cubic-bezier(.2, .7, .2, 1)' };
    for (const [id, place] of layout.boxes) {
      const before = this.#places.get(id);
      const box = this.#boxes.get(id);
      if (!before) {
        box?.animate([{ opacity: 0 }, { opacity: 1 }], timing);
      } else if (Math.abs(before.x - place.x) > 1 || Math.abs(before.y - place.y) > 1) {
        const ends = [before, place].map(({ x, y }) => ({ transform: `translate(${Math.round(x)}px, ${Math.round(y)}px)` }));
        box?.animate(ends, timing);
      }
    }
    for (const arrow of newArrows) {
      arrow.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    }
  }
}
