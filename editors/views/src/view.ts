// The graph view: what the user sees and does. It is told graphs by its host and keeps the picture up with them.

import { html, makeChrome, pageStyle, type Action, type ExportFormat, type Toggle } from './chrome';
import { pictureStyle } from './colors';
import type { Graph, Position } from './data';
import { detailsOf, freestCorner, placeOf, wayOut } from './details';
import { counted, document as svgDocument, withTitles, type Look } from './draw';
import { Files } from './files';
import type { GraphHost, GraphMessage } from './host';
import { keyOf, nextBox } from './keyboard';
import { arrange, structure, type Arrangement } from './arrangement';
import { LayoutEngine, LayoutTimeout, type WorkerLike } from './elk';
import { EMPTY, MANY_BOXES, type Layout, type Rectangle, type Size } from './layout';
import { around, between, boxAt, critical, modelOf, type Highlight, type Model } from './model';
import { quick } from './quick';
import { Revealer } from './reveal';
import { Stage } from './stage';
import { currentColors, onThemeChange } from './theme';
import { verdictOn } from './verdict';

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 1000;

export class GraphView {
  readonly #chrome = makeChrome();
  readonly #stage = new Stage('Dependency graph', 'kro-help');
  readonly #engine;
  readonly #files;
  readonly #revealer;
  readonly #sheet = new CSSStyleSheet();
  readonly #shown: Record<Toggle, boolean> = { labels: true, critical: false, deletion: false, fields: false, instance: false };
  readonly #folded = new Set<string>();
  #graph: Graph | null = null;
  #model: Model = { title: '', columnTitle: String, boxes: new Map(), arrows: [] };
  #arrangements: Arrangement[] = [];
  #layout: Layout | null = null;
  #structure = '';
  #selected: string | null = null;
  #pathEnd: string | null = null;
  #found = new Set<string>();
  #isLayingOut = false;
  #definition = 0;
  #changedAt = 0;

  constructor(
    readonly host: GraphHost,
    makeWorker: () => WorkerLike,
  ) {
    this.#files = new Files(host);
    this.#revealer = new Revealer(host, this.#chrome.root);
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
        this.fit();
        this.#update();
      }
    }).observe(this.#chrome.canvas);
    host.listen((message) => {
      this.#receive(message);
    });
    this.#ask();
  }

  /** Shows everything. */
  fit(): void {
    if (this.#layout) {
      const { direction, bounds } = this.#layout;
      this.#stage.viewport.fit(withTitles(bounds, direction));
    }
  }

  get #pane(): Size {
    const { clientWidth: width, clientHeight: height } = this.#stage.svg;
    return { width, height };
  }

  #ask(): void {
    this.host.send({ type: 'show', definition: this.#definition, fields: this.#shown.fields, instance: this.#shown.instance });
  }

  #receive(message: GraphMessage): void {
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
      this.#files.save(message.title, message.text, 'text/plain');
    }
  }

  /** Draws the graph as it is now: at once in the places that are known, and again when better ones are found. */
  #update(): void {
    const graph = this.#graph;
    if (!graph) {
      return;
    }
    this.#changedAt = performance.now();
    this.#model = modelOf(graph, this.#folded, this.#shown.deletion ? 'deletion' : 'creation');
    if (this.#selected !== null && !this.#model.boxes.has(this.#selected)) {
      this.#selected = null;
    }
    this.#describe(graph);
    const arrangements = arrange(this.#model, this.#pane, this.#shown.labels, this.#layout);
    const wanted = structure(this.#model, arrangements);
    if (wanted !== this.#structure) {
      if (this.#layout || this.#model.boxes.size > MANY_BOXES) {
        const isFirst = !this.#layout;
        this.#layout = quick(this.#model, this.#layout ?? { ...EMPTY, ...arrangements[0] });
        if (isFirst) {
          this.fit();
        }
      }
      this.#structure = wanted;
      this.#arrangements = arrangements;
      // With a cycle everything stays where it is: it is mostly a slip, which the next key mends.
      if (!this.#layout || graph.cycles.length === 0) {
        void this.#layOut();
      }
    }
    this.#search();
    this.#draw();
  }

  async #layOut(): Promise<void> {
    if (this.#isLayingOut) {
      return;
    }
    this.#isLayingOut = true;
    for (let done = ''; done !== this.#structure; ) {
      if (this.#layout) {
        await this.#pause();
      }
      done = this.#structure;
      const model = this.#model;
      try {
        const layout = await this.#engine.layout(model, this.#arrangements, this.#pane);
        if (done === this.#structure) {
          this.#place(layout);
        }
      } catch (error) {
        this.#keepQuick(model, error);
      }
    }
    this.#isLayingOut = false;
  }

  /**
   * Waits until nothing has changed for a while, the longer the more a layout costs: whoever types is not kept from the
   * next key by a layout that it would make out of date.
   */
  async #pause(): Promise<void> {
    const wanted = Math.min(Math.max(2 * this.#engine.took, SHORTEST_PAUSE), LONGEST_PAUSE);
    const rest = (): number => this.#changedAt + wanted - performance.now();
    while (rest() > 0) {
      await new Promise((resolve) => setTimeout(resolve, rest()));
    }
  }

  /** Has boxes and arrows stand as they do without ELK, and says why. */
  #keepQuick(model: Model, error: unknown): void {
    if (!(error instanceof LayoutTimeout)) {
      console.error('the graph could not be laid out', error);
    }
    if (!this.#layout) {
      this.#place(quick(model, EMPTY));
    }
    this.#say('A layout with fewer crossings would take too long.');
    document.body.dataset['laidOut'] = String(Number(document.body.dataset['laidOut'] ?? 0) + 1);
  }

  #place(layout: Layout): void {
    this.#chrome.loading.hidden = true;
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
      this.fit();
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
      labels: this.#shown.labels && (this.#layout?.labels ?? false),
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
    const { instance } = graph;
    const state = instance ? ` · ${verdictOn(instance.errors) || `${instance.label}: ${instance.state ?? 'refused'}`}` : '';
    const problems = counted(graph.nodes.flatMap((node) => node.problems));
    const wrong = problems ? ` · ${problems}` : '';
    const cycles = graph.cycles.length ? ` · ${graph.cycles.length} cycle${graph.cycles.length > 1 ? 's' : ''}` : '';
    this.#chrome.title.textContent = `${graph.name ?? 'Dependency graph'} · ${count} resource${count === 1 ? '' : 's'}${cycles}${wrong}${state}`;
    const { definitions } = this.#chrome;
    definitions.hidden = graph.definitions.length < 2;
    definitions.replaceChildren(
      ...graph.definitions.map((name, number) => html('option', { value: String(number) }, name ?? `definition ${number + 1}`)),
    );
    definitions.value = String(graph.definition);
    this.#offerInstances(graph);
    this.#chrome.actions.unfold.disabled = this.#folded.size === 0;
  }

  #offerInstances({ instance, instances = [] }: Graph): void {
    const select = this.#chrome.instances;
    select.hidden = !instance || !this.host.reveals;
    const made = instances.length ? 'Whichever is found first' : 'A generated sample';
    const choices = [...instances, { uri: '', label: made }];
    select.replaceChildren(...choices.map(({ uri, label }) => html('option', { value: uri }, label)));
    select.value = instance?.uri ?? '';
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
        this.#revealer.show(this.#model.arrows.find((each) => each.id === arrow)?.causes[0]?.range ?? null);
      } else {
        this.#open(id, event.shiftKey);
      }
      // The keys of the picture go on working: the text is shown, but the focus stays here.
      svg.focus({ preventScroll: true });
    });
    svg.addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
    this.#chrome.search.addEventListener('input', () => {
      this.#search();
      this.#showFound();
      this.#draw();
    });
    this.#chrome.close.addEventListener('click', () => {
      this.select(null);
      svg.focus({ preventScroll: true });
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
    for (const name of ['labels', 'critical', 'deletion', 'fields', 'instance'] as const) {
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
    this.#chrome.instances.addEventListener('change', () => {
      this.host.send({ type: 'choose', definition: this.#graph?.definition ?? 0, instance: this.#chrome.instances.value || null });
    });
    this.#chrome.export.addEventListener('change', () => {
      void this.#export(this.#chrome.export.value as ExportFormat | '');
      this.#chrome.export.value = '';
    });
  }

  #onKey(event: KeyboardEvent): void {
    const key = keyOf(event);
    if (key === null) {
      return;
    }
    event.preventDefault();
    const here = this.#focused ?? this.#selected;
    if (key === 'open') {
      this.#open(here, event.shiftKey);
    } else if (key === 'select') {
      this.select(this.#focused);
    } else if (key === 'clear') {
      this.select(null);
    } else if (key === 'search') {
      this.#chrome.search.focus();
    } else if ('go' in key) {
      this.#goTo(this.#layout ? nextBox(key.go, here, this.#model, this.#layout) : null);
    } else if ('act' in key) {
      this.#act(key.act);
    } else {
      this.#toggle(key.toggle);
    }
  }

  /** Shows a box's line, or marks the ways to the box. */
  #open(id: string | null, asEnd: boolean): void {
    if (id !== null && asEnd && this.#selected !== null) {
      this.#markPath(id);
    } else {
      this.select(id);
      this.#revealer.show(id === null ? null : (this.#model.boxes.get(id)?.range ?? null));
    }
  }

  get #focused(): string | null {
    return document.activeElement?.getAttribute('data-id') ?? null;
  }

  #goTo(id: string | null): void {
    if (id !== null) {
      this.select(id);
      this.#stage.box(id)?.focus({ preventScroll: true });
    }
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
    const id = boxAt(this.#model, position)?.id ?? null;
    if (id !== null && id !== this.#selected) {
      this.select(id);
    }
  }

  #toggle(name: Toggle): void {
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

  /** Brings everything that was found into view. */
  #showFound(): void {
    const places = [...this.#found].map((id) => this.#layout?.boxes.get(id)).filter((place) => place !== undefined);
    if (places.length > 0) {
      this.#stage.viewport.showAll(places);
    }
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

  /** Shows the details of the selected box. */
  #showDetails(place?: Rectangle): void {
    const { details } = this.#chrome;
    const box = this.#selected === null ? undefined : this.#model.boxes.get(this.#selected);
    details.hidden = box === undefined;
    this.#chrome.actions.fold.disabled = box === undefined;
    if (!box) {
      return;
    }
    this.#chrome.told.replaceChildren(
      ...detailsOf(box, this.#model, (range) => {
        this.#revealer.show(range);
      }),
    );
    if (place) {
      this.#keepClear(place);
    }
  }

  /** Puts the details where they cover the least, and moves the picture where they would still cover the selected box. */
  #keepClear(place: Rectangle): void {
    const { details } = this.#chrome;
    const { viewport } = this.#stage;
    const panel = { width: details.offsetWidth, height: details.offsetHeight };
    const canvas = this.#pane;
    const box = viewport.onScreen(place);
    const bright = [...(this.#layout?.boxes ?? [])].filter(([id]) => this.#highlight?.boxes.has(id) ?? true);
    const others = bright.map(([, each]) => viewport.onScreen(each));
    const corner = freestCorner(panel, canvas, box, others, details.className);
    details.className = corner;
    const { x, y } = wayOut(box, placeOf(corner, panel, canvas), canvas);
    if (x !== 0 || y !== 0) {
      viewport.pan(x, y);
    }
  }

  async #export(format: ExportFormat | ''): Promise<void> {
    if (format === 'mermaid' || format === 'dot') {
      this.host.send({ type: 'export', format });
    } else if (format !== '' && this.#layout) {
      const { theme, colors } = currentColors();
      const look = { ...this.#look, found: new Set<string>() };
      const text = svgDocument(this.#model, this.#layout, look, theme, colors);
      const name = `${this.#graph?.name ?? 'graph'}.graph.${format}`;
      if (format === 'svg') {
        this.#files.save(name, text, 'image/svg+xml');
      } else {
        await this.#files.savePng(name, text);
      }
    }
  }
}
