// The window on the picture: dragging, wheel and zoom.

import type { Point, Rectangle, Size } from './layout';

const SMALLEST = 0.04;
const LARGEST = 3;
const MARGIN = 14;
/** The legend stands at the bottom. */
const LEGEND = 20;
/** Below this scale lines are drawn wider. */
const FAR = 0.42;

export class Viewport {
  scale = 1;
  x = 0;
  y = 0;
  /** Whether the picture was moved, by the user or as a group was expanded in it: then it is not fitted again by itself. */
  moved = false;
  /** Whether the user has moved it: then it is not fitted when all groups are collapsed again, either. */
  movedByUser = false;
  readonly #listeners: (() => void)[] = [];

  constructor(
    readonly svg: SVGSVGElement,
    readonly content: SVGGElement,
  ) {
    let drag: { x: number; y: number; id: number } | null = null;
    svg.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        if (event.ctrlKey || event.metaKey) {
          this.zoom(Math.exp(-event.deltaY * 0.0025 * (event.deltaMode ? 16 : 1)), event.offsetX, event.offsetY);
        } else {
          this.pan(event.shiftKey ? -event.deltaY : -event.deltaX, event.shiftKey ? 0 : -event.deltaY);
        }
      },
      { passive: false },
    );
    svg.addEventListener('pointerdown', (event) => {
      drag = { x: event.clientX, y: event.clientY, id: event.pointerId };
    });
    svg.addEventListener('pointermove', (event) => {
      if (drag && event.buttons & 1) {
        if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 3 && !svg.hasPointerCapture(drag.id)) {
          svg.setPointerCapture(drag.id);
        }
        if (svg.hasPointerCapture(drag.id)) {
          this.pan(event.clientX - drag.x, event.clientY - drag.y);
          drag = { ...drag, x: event.clientX, y: event.clientY };
        }
      }
    });
    svg.addEventListener('pointerup', () => (drag = null));
  }

  /** Has a function called whenever something else is seen. */
  listen(changed: () => void): void {
    this.#listeners.push(changed);
  }

  get pane(): Size {
    const { clientWidth: width, clientHeight: height } = this.svg;
    return { width, height };
  }

  /** The part of the picture that is seen. */
  get window(): Rectangle {
    const { clientWidth, clientHeight } = this.svg;
    return { x: -this.x / this.scale, y: -this.y / this.scale, width: clientWidth / this.scale, height: clientHeight / this.scale };
  }

  /** Has a point of the picture in the middle. */
  center({ x, y }: Point): void {
    this.pan(this.svg.clientWidth / 2 - x * this.scale - this.x, this.svg.clientHeight / 2 - y * this.scale - this.y);
  }

  pan(x: number, y: number): void {
    this.moved = this.movedByUser = true;
    this.shift(x, y);
  }

  /** Moves the picture a little, which is fitted again nevertheless when it changes. */
  shift(x: number, y: number): void {
    this.x += x;
    this.y += y;
    this.#apply();
  }

  zoom(factor: number, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2): void {
    const scale = Math.min(Math.max(this.scale * factor, SMALLEST), LARGEST);
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.moved = this.movedByUser = true;
    this.#apply();
  }

  /** The scale at which everything is shown. */
  scaleFor(bounds: Rectangle): number {
    const { clientWidth: width, clientHeight } = this.svg;
    const wanted = Math.min((width - 2 * MARGIN) / bounds.width, (clientHeight - LEGEND - 2 * MARGIN) / bounds.height);
    return Math.min(Math.max(wanted, SMALLEST), 1.25);
  }

  /** Shows everything. */
  fit(bounds: Rectangle): void {
    const { clientWidth: width, clientHeight } = this.svg;
    const height = clientHeight - LEGEND;
    if (width === 0 || height <= 0) {
      return;
    }
    this.scale = this.scaleFor(bounds);
    const space = (room: number, size: number): number => Math.max((room - size * this.scale) / 2, MARGIN / 2);
    this.x = space(width, bounds.width) - bounds.x * this.scale;
    this.y = space(height, bounds.height) - bounds.y * this.scale;
    this.moved = this.movedByUser = false;
    this.#apply();
  }

  /** Where a place of the picture is in the window, in pixels. */
  onScreen({ x, y, width, height }: Rectangle): Rectangle {
    const { scale } = this;
    return { x: x * scale + this.x, y: y * scale + this.y, width: width * scale, height: height * scale };
  }

  /** Brings a place into view, if it is not, large enough to read. */
  show(place: Rectangle): void {
    const { width, height } = this.pane;
    const shown = this.onScreen(place);
    const isInside = shown.x >= 0 && shown.y >= 0 && shown.x + shown.width <= width && shown.y + shown.height <= height;
    if (!isInside) {
      this.x = width / 2 - (place.x + place.width / 2) * this.scale;
      this.y = height / 2 - (place.y + place.height / 2) * this.scale;
      this.#apply();
    }
  }

  /** Brings a place into view with what is around it, as far as that can be shown not smaller than a scale. */
  showWithin(place: Rectangle, around: Rectangle | undefined, smallest: number): void {
    const { width, height } = this.pane;
    const room = around ? Math.min((width - 2 * MARGIN) / around.width, (height - 2 * MARGIN) / around.height) : 0;
    if (around && room >= Math.min(smallest, this.scale)) {
      this.showAll([around]);
    } else {
      this.show(place);
    }
  }

  /** Brings several places into view, if they are not, and zooms out for that as far as it takes. */
  showAll(places: readonly Rectangle[]): void {
    const { width, height } = this.pane;
    const [left, top] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))];
    const right = Math.max(...places.map((each) => each.x + each.width));
    const bottom = Math.max(...places.map((each) => each.y + each.height));
    const all = { x: left, y: top, width: right - left, height: bottom - top };
    const room = Math.min((width - 2 * MARGIN) / all.width, (height - 2 * MARGIN) / all.height);
    if (room < this.scale) {
      this.scale = Math.max(room, SMALLEST);
    }
    this.show(all);
    this.#apply();
  }

  #apply(): void {
    this.content.setAttribute('transform', `translate(${this.x} ${this.y}) scale(${this.scale})`);
    this.svg.classList.toggle('far', this.scale < FAR);
    this.#listeners.forEach((changed) => {
      changed();
    });
  }
}
