// The picture on the screen: keeps the elements equal to what is drawn, and lets what moves be seen moving.

import { draw } from './draw';
import { MANY_BOXES, type Layout } from './layout';
import { zoomStep, type Look } from './look';
import { NOTHING, type Model } from './model';
import { renamedArrow, renamedLayout } from './renames';
import { KeyedChildren } from './svg';
import { Viewport } from './viewport';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const MOVE_MILLISECONDS = 260;

export class Stage {
  readonly svg: SVGSVGElement;
  readonly viewport: Viewport;
  /** The boxes and arrows on display, and their layout, which is null until the first one is ready. */
  model = NOTHING;
  layout: Layout | null = null;
  readonly #bands;
  readonly #frames;
  readonly #arrows;
  readonly #boxes;
  #places: Layout['boxes'] = new Map();

  /** `zoomed` is called when there is room for more, or less, in the boxes. */
  constructor(label: string, helpId: string, zoomed: () => void) {
    this.svg = document.createElementNS(NAMESPACE, 'svg');
    this.svg.setAttribute('class', 'graph');
    this.svg.setAttribute('role', 'group');
    this.svg.setAttribute('tabindex', '0');
    this.svg.setAttribute('aria-label', label);
    this.svg.setAttribute('aria-describedby', helpId);
    const content = document.createElementNS(NAMESPACE, 'g');
    const layer = (isSpoken: boolean): KeyedChildren => {
      const made = document.createElementNS(NAMESPACE, 'g');
      if (!isSpoken) {
        made.setAttribute('aria-hidden', 'true');
      }
      content.append(made);
      return new KeyedChildren(made);
    };
    this.#bands = layer(false);
    this.#frames = layer(false);
    this.#arrows = layer(false);
    this.#boxes = layer(true);
    this.svg.append(content);
    this.viewport = new Viewport(this.svg, content);
    let shown = this.zoom;
    this.viewport.listen(() => {
      if (shown !== this.zoom) {
        shown = this.zoom;
        zoomed();
      }
    });
  }

  box(id: string): SVGElement | undefined {
    return this.#boxes.get(id);
  }

  /** The box that has the focus. */
  get focused(): string | null {
    return document.activeElement?.getAttribute('data-id') ?? null;
  }

  /** About how large the picture is shown. */
  get zoom(): number {
    return zoomStep(this.viewport.scale);
  }

  /** Gives boxes, and the arrows between them, new ids. */
  rename(names: ReadonlyMap<string, string>): void {
    if (!this.layout || names.size === 0) {
      return;
    }
    names.forEach((id, former) => {
      this.#boxes.rename(former, id);
    });
    for (const arrow of this.layout.routes.keys()) {
      this.#arrows.rename(arrow, renamedArrow(arrow, names));
    }
    this.#places = new Map([...this.#places].map(([id, place]) => [names.get(id) ?? id, place]));
    this.layout = renamedLayout(this.layout, names);
  }

  /** Sets what the next drawing shows. */
  place(model: Model, layout: Layout): void {
    this.model = model;
    this.layout = layout;
  }

  show(model: Model, layout: Layout, look: Look): void {
    const picture = draw(model, layout, look);
    const hadFocus = this.svg.contains(document.activeElement);
    this.#bands.update(picture.bands);
    this.#frames.update(picture.frames);
    const { added } = this.#arrows.update(picture.arrows);
    this.#boxes.update(picture.boxes);
    for (const id of look.highlight?.arrows ?? []) {
      const arrow = this.#arrows.get(id);
      arrow?.parentNode?.append(arrow);
    }
    if (hadFocus && !this.svg.contains(document.activeElement)) {
      // What had it is gone, or became a frame; the keys go on working.
      (this.box(look.selected ?? '') ?? this.svg).focus({ preventScroll: true });
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
      const box = this.box(id);
      if (!before) {
        box?.animate([{ opacity: 0 }, { opacity: 1 }], timing);
      } else if (Math.abs(before.x - place.x) > 1 || Math.abs(before.y - place.y) > 1) {
        const ends = [before, place].map(({ x, y }) => ({ transform: `translate(${Math.round(x)}px, ${Math.round(y)}px)` }));
        box?.animate(ends, timing);
      }
    }
    for (const [id, place] of layout.boxes) {
      const before = this.#places.get(id);
      const from = before ? `translate(${Math.round(before.x - place.x)}px, ${Math.round(before.y - place.y)}px)` : 'none';
      this.#frames.get(id)?.animate(
        [
          { opacity: before ? 1 : 0, transform: from },
          { opacity: 1, transform: 'none' },
        ],
        timing,
      );
    }
    for (const arrow of newArrows) {
      arrow.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    }
  }
}

/** Says, for tests, how often a layout was found. */
export function countLayout(): void {
  document.body.dataset['laidOut'] = String(Number(document.body.dataset['laidOut'] ?? 0) + 1);
}
