// The graph view: what the user sees and does. It is told graphs by its host and keeps the picture up with them.

import { html, makeChrome, pageStyle, type Action, type ExportFormat, type Toggle } from './chrome';
import { pictureStyle } from './colors';
import type { Cause, Graph, Position, Range } from './data';
import { document as svgDocument, objects, type Look } from './draw';
import type { Host, Message } from './host';
import { EMPTY, hasRoomForLabels, MANY_BOXES, LayoutEngine, quick, structure, type Layout, type Rectangle, type WorkerLike } from './layout';
import { around, between, critical, modelOf, neighbours, type Highlight, type Model } from './model';
import { Stage } from './stage';
import { currentColors, onThemeChange } from './theme';

const PAUSE_MILLISECONDS = 250;
const FEW_BOXES = 40;
const READABLE = 0.62;

export class GraphView {
  readonly #chrome = makeChrome();
  readonly #stage = new Stage('Dependency graph', 'kro-help');
  readonly #engine;
  readonly #sheet = new CSSStyleSheet();
  readonly #shown: Record<Toggle, boolean> = { labels: true, critical: false, fields: false, instance: false };
  readonly #folded = new Set<string>();
  #graph: Graph | null = null;
  #model: Model = { title: '', boxes: new Map(), arrows: [] };
  #layout: Layout | null = null;
  #structure = '';
  #selected: string | null = null;
  #pathEnd: string | null = null;
  #found = new Set<string>();
  #isLayingOut = false;
  #labelsChosen = false;
  #definition = 0;

  constructor(
    readonly host: Host,
    makeWorker: () => WorkerLike,
  ) {
    this.#engine = new LayoutEngine(makeWorker);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
    this.#applyTheme();
    onThemeChange(() => {
      this.#applyTheme();
    });
    this.#chrome.canvas.append(this.#stage.svg);
    document.body.append(this.#chrome.root);
    this.#listen();
    new ResizeObserver(() => {
      if (!this.#stage.viewport.moved) {
        this.fit(true);
      }
    }).observe(this.#chrome.canvas);
    host.listen((message) => {
      this.#receive(message);
    });
    this.#ask();
  }

  /** Shows everything; unasked, a graph that is not large only as far as it can be read. */
  fit(unasked = false): void {
    if (this.#layout) {
      const { x, y, width, height } = this.#layout.bounds;
      const smallest = unasked && this.#layout.boxes.size <= FEW_BOXES ? READABLE : undefined;
      this.#stage.viewport.fit({ x: x - 16, y: y - 48, width: width + 32, height: height + 64 }, smallest);
    }
  }

  #ask(): void {
    this.host.send({ type: 'show', definition: this.#definition, fields: this.#shown.fields, instance: this.#shown.instance });
  }

  #receive(message: Message): void {
    if (message.type === 'graph') {
      this.#chrome.banner.hidden = true;
      this.#graph = message.graph;
      this.#update();
    } else if (message.type === 'gone') {
      this.#chrome.banner.textContent = message.message;
      this.#chrome.banner.hidden = false;
    } else if (message.type === 'cursor') {
      this.#followCursor(message);
    } else {
      this.#save(message.title, message.text, 'text/plain');
    }
  }

  /** Draws the graph as it is now: at once in the places that are known, and again when better ones are found. */
  #update(): void {
    const graph = this.#graph;
    if (!graph) {
      return;
    }
    const waves = new Map([...this.#model.boxes.values()].map((box) => [box.id, box.wave]));
    this.#model = modelOf(graph, this.#folded);
    if (!this.#labelsChosen) {
      this.#setToggle('labels', hasRoomForLabels(this.#model));
    }
    if (this.#selected !== null && !this.#model.boxes.has(this.#selected)) {
      this.#selected = null;
    }
    this.#describe(graph);
    const wanted = structure(this.#model, this.#laysOutLabels);
    if (wanted !== this.#structure) {
      if (this.#layout || this.#model.boxes.size > MANY_BOXES) {
        const isFirst = !this.#layout;
        this.#layout = quick(this.#model, this.#layout ?? EMPTY, waves);
        if (isFirst) {
          this.fit(true);
        }
      }
      this.#structure = wanted;
      // With a cycle everything stays where it is: it is mostly a slip, which the next key mends.
      if (!this.#layout || graph.cycles.length === 0) {
        void this.#layOut();
      }
    }
    this.#search();
    this.#draw();
  }

  get #laysOutLabels(): boolean {
    return this.#shown.labels && hasRoomForLabels(this.#model);
  }

  async #layOut(): Promise<void> {
    if (this.#isLayingOut) {
      return;
    }
    this.#isLayingOut = true;
    for (let done = ''; done !== this.#structure; ) {
      if (this.#layout) {
        // Whoever types is not kept from the next key by a layout that it would make out of date.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
      }
      done = this.#structure;
      const model = this.#model;
      try {
        const layout = await this.#engine.layout(model, this.#laysOutLabels);
        if (done === this.#structure) {
          this.#place(layout);
        }
      } catch (error) {
        console.error('the graph could not be laid out', error);
        this.#chrome.banner.textContent = 'This graph could not be laid out.';
        this.#chrome.banner.hidden = false;
      }
    }
    this.#isLayingOut = false;
  }

  #place(layout: Layout): void {
    const before = this.#layout;
    this.#layout = layout;
    const viewport = this.#stage.viewport;
    if (before && viewport.moved) {
      // What the user looks at stays where it is, whatever moves around it.
      const kept = this.#selected ?? [...before.boxes.keys()].find((id) => layout.boxes.has(id));
      const old = kept === undefined ? undefined : before.boxes.get(kept);
      const now = kept === undefined ? undefined : layout.boxes.get(kept);
      if (old && now) {
        viewport.pan((old.x - now.x) * viewport.scale, (old.y - now.y) * viewport.scale);
      }
    } else {
      this.fit(true);
      const place = this.#selected === null ? undefined : layout.boxes.get(this.#selected);
      if (place) {
        viewport.show(place);
      }
    }
    this.#draw();
    document.body.dataset['laidOut'] = String(Number(document.body.dataset['laidOut'] ?? 0) + 1);
  }

  #draw(): void {
    if (this.#layout) {
      this.#stage.show(this.#model, this.#layout, this.#look);
      document.body.dataset['drawn'] = String(this.#graph?.version ?? '');
      performance.mark('kro-drawn');
    }
  }

  get #look(): Look {
    return {
      selected: this.#selected,
      highlight: this.#highlight,
      found: this.#found,
      labels: this.#shown.labels,
      critical: this.#shown.critical,
    };
  }

  get #highlight(): Highlight | null {
    if (this.#selected !== null) {
      return this.#pathEnd === null ? around(this.#model, this.#selected) : between(this.#model, this.#selected, this.#pathEnd);
    }
    return this.#shown.critical && this.#model.boxes.size > 1 ? critical(this.#model) : null;
  }

  #describe(graph: Graph): void {
    const count = graph.nodes.length;
    const state = graph.instance ? ` · ${graph.instance.label}: ${graph.instance.state ?? 'refused'}` : '';
    const cycles = graph.cycles.length ? ` · ${graph.cycles.length} cycle${graph.cycles.length > 1 ? 's' : ''}` : '';
    this.#chrome.title.textContent = `${graph.name ?? 'Dependency graph'} · ${count} resource${count === 1 ? '' : 's'}${cycles}${state}`;
    const { definitions } = this.#chrome;
    definitions.hidden = graph.definitions.length < 2;
    definitions.replaceChildren(
      ...graph.definitions.map((name, number) => html('option', { value: String(number) }, name ?? `definition ${number + 1}`)),
    );
    definitions.value = String(graph.definition);
    this.#chrome.actions.unfold.disabled = this.#folded.size === 0;
  }

  #applyTheme(): void {
    const { colors } = currentColors();
    this.#sheet.replaceSync(pageStyle(colors) + pictureStyle(colors));
  }

  // What the user does.

  #listen(): void {
    const { svg } = this.#stage;
    svg.addEventListener('click', (event) => {
      const target = event.target as Element;
      const arrow = target.closest('[data-arrow]')?.getAttribute('data-arrow') ?? null;
      const id = target.closest('[data-id]')?.getAttribute('data-id') ?? null;
      if (arrow !== null) {
        this.#reveal(this.#model.arrows.find((each) => each.id === arrow)?.causes[0]?.range ?? null);
      } else if (id !== null && event.shiftKey && this.#selected !== null) {
        this.#markPath(id);
      } else {
        this.select(id);
        this.#reveal(id === null ? null : (this.#model.boxes.get(id)?.range ?? null));
      }
    });
    svg.addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
    this.#chrome.search.addEventListener('input', () => {
      this.#search();
      this.#draw();
    });
    this.#chrome.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        this.#goToNextFound();
      } else if (event.key === 'Escape') {
        this.#chrome.search.value = '';
        this.#search();
        this.#draw();
        svg.focus();
      }
    });
    for (const name of ['labels', 'critical', 'fields', 'instance'] as const) {
      this.#chrome.toggles[name].addEventListener('click', () => {
        this.#toggle(name);
      });
    }
    for (const name of ['fold', 'unfold', 'in', 'out', 'fit'] as const) {
      this.#chrome.actions[name].addEventListener('click', () => {
        this.#act(name);
      });
    }
    this.#chrome.definitions.addEventListener('change', () => {
      this.#definition = Number(this.#chrome.definitions.value);
      this.#stage.viewport.moved = false;
      this.#ask();
    });
    this.#chrome.export.addEventListener('change', () => {
      void this.#export(this.#chrome.export.value as ExportFormat | '');
      this.#chrome.export.value = '';
    });
  }

  #onKey(event: KeyboardEvent): void {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => {
        this.#step('to', 'from');
      },
      ArrowRight: () => {
        this.#step('from', 'to');
      },
      ArrowUp: () => {
        this.#stepInColumn(-1);
      },
      ArrowDown: () => {
        this.#stepInColumn(1);
      },
      Enter: () => {
        const id = this.#focused ?? this.#selected;
        if (event.shiftKey && id !== null && this.#selected !== null) {
          this.#markPath(id);
        } else if (id !== null) {
          this.select(id);
          this.#reveal(this.#model.boxes.get(id)?.range ?? null);
        }
      },
      ' ': () => {
        this.select(this.#focused);
      },
      Escape: () => {
        this.select(null);
      },
      '/': () => {
        this.#chrome.search.focus();
      },
      '+': () => {
        this.#act('in');
      },
      '-': () => {
        this.#act('out');
      },
      '0': () => {
        this.#act('fit');
      },
      c: () => {
        this.#act('fold');
      },
      l: () => {
        this.#toggle('labels');
      },
      p: () => {
        this.#toggle('critical');
      },
      f: () => {
        this.#toggle('fields');
      },
      i: () => {
        this.#toggle('instance');
      },
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  get #focused(): string | null {
    return document.activeElement?.getAttribute('data-id') ?? null;
  }

  /** Goes to a neighbour: of several to the one that stands nearest. */
  #step(at: 'from' | 'to', other: 'from' | 'to'): void {
    const here = this.#focused ?? this.#selected;
    if (here === null) {
      this.#focusFirst();
      return;
    }
    const place = this.#layout?.boxes.get(here);
    const others = neighbours(this.#model.arrows, at, other).get(here) ?? [];
    const distance = (id: string): number => Math.abs((this.#layout?.boxes.get(id)?.y ?? 0) - (place?.y ?? 0));
    const next = [...others].sort((one, two) => distance(one) - distance(two))[0];
    if (next !== undefined) {
      this.#goTo(next);
    }
  }

  #stepInColumn(direction: 1 | -1): void {
    const here = this.#focused ?? this.#selected;
    const place = here === null ? undefined : this.#layout?.boxes.get(here);
    if (!place) {
      this.#focusFirst();
      return;
    }
    const column = [...(this.#layout?.boxes ?? [])]
      .filter(([, each]) => each.x < place.x + place.width && place.x < each.x + each.width)
      .sort(([, one], [, other]) => one.y - other.y);
    const next = column[column.findIndex(([id]) => id === here) + direction];
    if (next) {
      this.#goTo(next[0]);
    }
  }

  #focusFirst(): void {
    const first = [...(this.#layout?.boxes ?? [])].sort(([, one], [, other]) => one.x - other.x || one.y - other.y)[0];
    if (first) {
      this.#goTo(first[0]);
    }
  }

  #goTo(id: string): void {
    this.select(id);
    this.#stage.box(id)?.focus({ preventScroll: true });
  }

  /** Selects a box, as a click does, and brings it into view. */
  select(id: string | null): void {
    this.#selected = id;
    this.#pathEnd = null;
    const place = id === null ? undefined : this.#layout?.boxes.get(id);
    if (place) {
      this.#stage.viewport.show(place);
    }
    this.#showDetails(place);
    this.#draw();
    this.#say(id === null ? 'Nothing is selected' : (this.#stage.box(id)?.getAttribute('aria-label') ?? id));
  }

  #markPath(end: string): void {
    this.#pathEnd = end;
    this.#draw();
    const count = this.#highlight?.arrows.size ?? 0;
    this.#say(count ? `The ways between ${this.#selected ?? ''} and ${end} have ${count} arrows` : `No way leads between ${this.#selected ?? ''} and ${end}`);
  }

  #followCursor(position: Position): void {
    const at = [...this.#model.boxes.values()].find((box) => box.whole !== null && contains(box.whole, position));
    const id = at?.id ?? null;
    if (id !== null && id !== this.#selected) {
      this.select(id);
    }
  }

  #reveal(range: Range | null): void {
    if (range && this.host.reveals) {
      this.host.send({ type: 'reveal', range });
    }
  }

  #toggle(name: Toggle): void {
    if (name === 'labels') {
      this.#labelsChosen = true;
    }
    this.#setToggle(name, !this.#shown[name]);
    if (name === 'fields' || name === 'instance') {
      this.#ask();
    }
    this.#update();
  }

  #setToggle(name: Toggle, value: boolean): void {
    this.#shown[name] = value;
    this.#chrome.toggles[name].setAttribute('aria-pressed', String(value));
  }

  #act(name: Action): void {
    if (name === 'fit') {
      this.fit();
    } else if (name === 'in' || name === 'out') {
      this.#stage.viewport.zoom(name === 'in' ? 1.25 : 0.8);
    } else if (name === 'unfold') {
      this.#folded.clear();
      this.#update();
    } else if (this.#selected !== null) {
      if (!this.#folded.delete(this.#selected)) {
        this.#folded.add(this.#selected);
      }
      this.#update();
      this.#say(`${this.#model.boxes.get(this.#selected)?.folded ?? 0} boxes are folded into ${this.#selected}`);
    }
  }

  #search(): void {
    const text = this.#chrome.search.value.trim().toLowerCase();
    const boxes = [...this.#model.boxes.values()];
    const hits = text ? boxes.filter((box) => `${box.title} ${box.subtitle}`.toLowerCase().includes(text)) : [];
    this.#found = new Set(hits.map((box) => box.id));
    this.#chrome.found.textContent = text ? `${hits.length} found` : '';
  }

  #goToNextFound(): void {
    const ids = [...this.#found];
    const next = ids[(ids.indexOf(this.#selected ?? '') + 1) % ids.length];
    if (next !== undefined) {
      this.select(next);
    }
  }

  #say(text: string): void {
    this.#chrome.status.textContent = text;
  }

  /** Tells of the selected box, on the side of the picture where it is not. */
  #showDetails(place?: Rectangle): void {
    const { details } = this.#chrome;
    const { viewport, svg } = this.#stage;
    details.classList.toggle('left', place !== undefined && place.x * viewport.scale + viewport.x > svg.clientWidth / 2);
    const box = this.#selected === null ? undefined : this.#model.boxes.get(this.#selected);
    details.hidden = box === undefined;
    this.#chrome.actions.fold.disabled = box === undefined;
    if (!box) {
      return;
    }
    const state = box.state ? [html('p', {}, `${box.state.state}, ${objects(box.state.objects)}${box.state.reason ? `: ${box.state.reason}` : ''}`)] : [];
    const needs = this.#model.arrows.filter((each) => each.to === box.id);
    const users = this.#model.arrows.filter((each) => each.from === box.id);
    details.replaceChildren(
      html('h2', {}, box.title),
      html('p', {}, [box.subtitle, box.wave === null ? '' : `wave ${box.wave}`].filter(Boolean).join(' · ')),
      ...state,
      ...this.#causes('Reads', needs.flatMap((each) => each.causes), (cause) => cause.path),
      ...this.#causes('Read by', users.flatMap((each) => each.causes.map((cause) => ({ ...cause, by: each.to }))), (cause) => `${cause.by} · ${cause.path}`),
    );
  }

  #causes<Each extends Cause>(title: string, causes: Each[], where: (cause: Each) => string): Node[] {
    if (causes.length === 0) {
      return [];
    }
    const items = causes.map((cause) => {
      const line = html('button', { type: 'button' }, html('code', {}, cause.expression), html('small', {}, where(cause)));
      line.addEventListener('click', () => {
        this.#reveal(cause.range);
      });
      return html('li', {}, line);
    });
    return [html('h3', {}, title), html('ul', {}, ...items)];
  }

  // Files.

  async #export(format: ExportFormat | ''): Promise<void> {
    if (format === 'mermaid' || format === 'dot') {
      this.host.send({ type: 'export', format });
    } else if (format !== '' && this.#layout) {
      const { theme, colors } = currentColors();
      const look = { ...this.#look, found: new Set<string>() };
      const text = svgDocument(this.#model, this.#layout, look, theme, colors);
      const name = `${this.#graph?.name ?? 'graph'}.graph.${format}`;
      if (format === 'svg') {
        this.#save(name, text, 'image/svg+xml');
      } else {
        this.#saveBlob(name, await toPng(text));
      }
    }
  }

  #save(name: string, content: string, type: string): void {
    if (this.host.saves) {
      this.host.send({ type: 'save', name, content, base64: false });
    } else {
      this.#saveBlob(name, new Blob([content], { type }));
    }
  }

  #saveBlob(name: string, blob: Blob): void {
    if (this.host.saves) {
      const reader = new FileReader();
      reader.onload = () => {
        const content = (reader.result as string).replace(/^[^,]*,/, '');
        this.host.send({ type: 'save', name, content, base64: true });
      };
      reader.readAsDataURL(blob);
      return;
    }
    const url = URL.createObjectURL(blob);
    html('a', { href: url, download: name }).click();
    setTimeout(() => {
      URL.revokeObjectURL(url);
    }, 10_000);
  }
}

/** The largest side of a PNG, in pixels: browsers refuse larger canvases. */
const LARGEST_SIDE = 8192;

async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  const scale = Math.min(2, LARGEST_SIDE / Math.max(image.width, image.height));
  const canvas = html('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) {
        resolve(blob);
      } else {
        reject(new Error('the browser made no PNG'));
      }
    });
  });
}

function contains(range: Range, { line, character }: Position): boolean {
  const afterStart = line > range.start.line || (line === range.start.line && character >= range.start.character);
  // The line of an entry's dash, and the empty end of its last line, belong to it as well.
  const isFirstLine = line === range.start.line;
  return (afterStart || isFirstLine) && (line < range.end.line || (line === range.end.line && character <= range.end.character));
}
