// The graph view: what the user sees and does. Its host sends graphs, and the picture follows them.

import { aim, fit } from './aim';
import { makeChrome, pageStyle, type Action, type ExportFormat, type Toggle } from './chrome';
import { pictureStyle } from './colors';
import type { Graph, Position } from './wire';
import { controls, type Actions } from './controls';
import { Details } from './details';
import { Files } from './files';
import { Finder } from './finder';
import { Grouper, nextChoice, type Choice } from './grouper';
import { describeGraph, GROUPED, showMessage } from './heading';
import { keepClear } from './panel';
import { brightOf, ofStandIns, type Highlight } from './highlight';
import type { GraphHost } from './host';
import type { GraphMessage } from './messages';
import { keyOf, nextBox } from './keyboard';
import { EMPTY, type Layout, type Size } from './layout';
import { Layouts, LayoutTimeout, type Wanted } from './layouts';
import type { Look } from './look';
import { Minimap } from './minimap';
import { boxAt, modelOf, type Model } from './model';
import { quick } from './quick';
import { inColumns, renamedLayout, Renames } from './renames';
import { Revealer } from './reveal';
import { countLayout, Stage } from './stage';
import { styleByTheme } from './theme';
import type { WorkerLike } from './elk';

const NOTHING: Model = { title: '', columnTitle: String, boxes: new Map(), arrows: [] };

export class GraphView implements Actions {
  readonly #chrome = makeChrome();
  readonly #stage = new Stage('Dependency graph', 'kro-help', () => {
    this.#draw();
  });
  readonly #minimap = new Minimap(this.#stage.viewport);
  readonly #layouts;
  readonly #grouper = new Grouper();
  readonly #files;
  readonly #revealer;
  readonly #details;
  readonly #shown: Record<Toggle, boolean> = {
    labels: true,
    critical: false,
    deletion: false,
    fields: false,
    instance: false,
    comparison: false,
    map: true,
  };
  readonly #folded = new Set<string>();
  #graph: Graph | null = null;
  /** All resources, each by itself. */
  #full = NOTHING;
  /** What is to be shown: with groups where there are any. */
  #model = NOTHING;
  /** What the layout is of. */
  #placed = NOTHING;
  #layout: Layout | null = null;
  #selected: string | null = null;
  #pathEnd: string | null = null;
  readonly #finder = new Finder();
  readonly #renames = new Renames();
  #definition = 0;
  /** A box that the user asked for, to be shown when the layout that has it is there. */
  #awaited: string | null = null;

  constructor(
    readonly host: GraphHost,
    makeWorker: () => WorkerLike,
  ) {
    this.#files = new Files(host);
    this.#revealer = new Revealer(host, this.#chrome.root);
    this.#details = new Details(this.#revealer, () => {
      this.#close();
    });
    this.#layouts = new Layouts(makeWorker, {
      pane: () => this.#pane,
      placed: (model, layout) => {
        this.#place(model, layout);
      },
      failed: (model, error) => {
        this.#keepQuick(model, error);
      },
    });
    styleByTheme((colors) => pageStyle(colors) + pictureStyle(colors));
    this.#grouper.choice = host.groupBy;
    this.#chrome.groups.value = host.groupBy;
    this.#setToggle('comparison', host.comparison === 'shown');
    this.#chrome.toggles.comparison.hidden = host.comparison === 'none';
    this.#setToggle('map', host.recall('map') !== 'off');
    this.#minimap.toggle(this.#shown.map);
    // Before what lies over it: so the Tab key goes from the picture to the details of a box.
    this.#chrome.canvas.prepend(this.#stage.svg, this.#details.root);
    this.#chrome.corner.prepend(this.#minimap.svg);
    document.getElementById('kro-skeleton')?.remove();
    document.body.append(this.#chrome.root);
    controls(this.#chrome, this.#stage.svg, this);
    new ResizeObserver(() => {
      if (!this.#stage.viewport.moved) {
        this.#grouper.reconsider();
        this.fit();
        this.#update();
      }
    }).observe(this.#chrome.canvas);
    host.listen((message) => {
      this.#receive(message);
    });
    this.#definition = host.kept?.definition ?? 0;
    Object.entries(host.kept?.shown ?? {}).forEach(([name, value]) => {
      this.#setToggle(name as Toggle, value);
    });
    this.#ask();
  }

  /** Shows everything. */
  fit(): void {
    if (this.#layout) {
      fit(this.#stage.viewport, this.#placed, this.#layout);
    }
  }

  get #pane(): Size {
    const { clientWidth: width, clientHeight: height } = this.#stage.svg;
    return { width, height };
  }

  #ask(): void {
    const { fields, instance, comparison } = this.#shown;
    this.host.send({ type: 'show', definition: this.#definition, fields, instance, comparison });
  }

  #receive(message: GraphMessage): void {
    if (message.type === 'graph') {
      this.#receiveGraph(message.graph);
    } else if (message.type === 'gone') {
      this.#chrome.loading.hidden = true;
      showMessage(this.#chrome, this.#layout ? `${message.message} This is the last picture.` : message.message, 'stale');
    } else if (message.type === 'cursor') {
      this.#followCursor(message);
    } else {
      this.#files.save(message.title, message.text, 'text/plain');
    }
  }

  #receiveGraph(graph: Graph): void {
    const before = this.#graph;
    if (before && before.definition === graph.definition && before.nodes.length > 0 && graph.nodes.length === 0) {
      // A key in the line above all resources takes them away, and the next one brings them back.
      showMessage(this.#chrome, 'No resources can be read at the moment. This is the last picture.', 'stale');
      return;
    }
    this.#graph = graph;
    showMessage(this.#chrome, graph.comparison?.message ?? null, 'note');
    const names = this.#renames.follow(graph.nodes);
    this.#rename(before?.definition === graph.definition ? names : new Map());
    this.#update();
  }

  /** Has what is known of a box by its former id be known by its new one. */
  #rename(names: ReadonlyMap<string, string>): void {
    if (this.#layout && names.size > 0) {
      this.#stage.rename(names, this.#layout.routes.keys());
      this.#layout = renamedLayout(this.#layout, names);
      this.#selected = names.get(this.#selected ?? '') ?? this.#selected;
      this.#pathEnd = names.get(this.#pathEnd ?? '') ?? this.#pathEnd;
    }
  }

  /** Draws the graph as it is now: at once in the places that are known, and again when better ones are found. */
  #update(isAsking = false): void {
    const graph = this.#graph;
    if (!graph) {
      return;
    }
    this.host.keep({ definition: this.#definition, shown: this.#shown });
    const full = modelOf(graph, this.#folded, this.#shown.deletion ? 'deletion' : 'creation');
    const isHeld = this.#renames.areOpen && this.#layout !== null && !isAsking;
    this.#full = isHeld && this.#layout ? inColumns(full, this.#layout) : full;
    const wanted = this.#grouper.update(this.#full, this.#pane);
    this.#model = wanted.model;
    if (this.#selected !== null && !this.#model.boxes.has(this.#selected)) {
      this.#selected = this.#standIn(this.#selected);
    }
    describeGraph(this.#chrome, graph, this.#grouper, this.#folded.size > 0, this.host.reveals);
    this.#search();
    this.#layOut(wanted, isAsking, isHeld || graph.cycles.length > 0);
  }

  #layOut(wanted: Wanted, isAsking: boolean, stays: boolean): void {
    const before = this.#layout;
    const layout = this.#layouts.update(wanted, before, this.#shown.labels, { isAsking, stays });
    if (layout) {
      this.#layout = layout;
      this.#placed = wanted.model;
      if (!before) {
        this.fit();
      }
      this.#draw();
    }
    if (isAsking && before && this.#layouts.isRunning) {
      this.#chrome.loading.classList.add('over');
      this.#chrome.loading.hidden = false;
    }
  }

  /** Has boxes and arrows stand as they do without ELK, and says why. */
  #keepQuick(model: Model, error: unknown): void {
    if (!(error instanceof LayoutTimeout)) {
      console.error('the graph could not be laid out', error);
    }
    this.#chrome.loading.hidden = true;
    if (!this.#layout || this.#placed !== model) {
      this.#place(model, quick(model, this.#layout ?? EMPTY));
    }
    this.#say('A layout with fewer crossings would take too long.');
    countLayout();
  }

  #place(model: Model, layout: Layout): void {
    this.#chrome.loading.hidden = true;
    const before = this.#layout;
    const awaited = this.#awaited;
    this.#awaited = null;
    this.#layout = layout;
    this.#placed = model;
    const { viewport } = this.#stage;
    aim(viewport, model, before, layout, awaited, this.#selected);
    this.#draw();
    if (awaited !== null && awaited === this.#selected) {
      this.#showDetails();
      this.#stage.box(awaited)?.focus({ preventScroll: true });
    } else if (!viewport.moved) {
      this.#putDetails();
    }
    countLayout();
  }

  #draw(): void {
    if (this.#layout) {
      const look = this.#look;
      this.#stage.show(this.#placed, this.#layout, look);
      this.#minimap.show(this.#placed, this.#layout, look);
      document.body.dataset['drawn'] = String(this.#graph?.version ?? '');
      performance.mark('kro-drawn');
    }
  }

  get #look(): Look {
    return {
      selected: this.#selected,
      highlight: this.#highlight,
      found: new Set(this.#finder.hits.map((id) => this.#standIn(id)).filter((id) => id !== null)),
      labels: this.#shown.labels && (this.#layout?.labels ?? false),
      critical: this.#shown.critical,
      zoom: this.#stage.zoom,
    };
  }

  get #highlight(): Highlight | null {
    const found = brightOf(this.#full, this.#model, this.#selected, this.#pathEnd, this.#shown.critical);
    return found && ofStandIns(found, this.#full, this.#model, this.#grouper.standIn);
  }

  /** The box that a resource is seen in; null where it is not seen. */
  #standIn(id: string): string | null {
    const found = this.#grouper.standIn.get(id) ?? id;
    return this.#model.boxes.has(found) ? found : null;
  }

  chooseDefinition(number: number): void {
    this.#definition = number;
    this.#stage.viewport.moved = false;
    this.#grouper.expanded.clear();
    this.#grouper.reconsider();
    this.#ask();
  }

  chooseInstance(instance: string | null): void {
    this.host.send({ type: 'choose', definition: this.#graph?.definition ?? 0, instance });
  }

  press(event: KeyboardEvent): void {
    const key = keyOf(event);
    if (key === null) {
      return;
    }
    event.preventDefault();
    const here = this.#focused ?? this.#selected;
    if ((key === 'open' || key === 'select') && !event.shiftKey && this.#model.boxes.get(here ?? '')?.type === 'Group') {
      this.#expand(here ?? '');
    } else if (key === 'open') {
      this.#open(here, event.shiftKey);
    } else if (key === 'select') {
      this.select(this.#focused);
    } else if (key === 'clear') {
      this.select(null);
    } else if (key === 'search') {
      this.#chrome.search.focus();
    } else if ('go' in key) {
      this.#goTo(this.#layout ? nextBox(key.go, here, this.#placed, this.#layout) : null);
    } else if ('act' in key) {
      this.act(key.act);
    } else {
      this.toggle(key.toggle);
    }
  }

  /** Shows the line that an arrow comes from. */
  clickArrow(id: string): void {
    this.#revealer.show(this.#placed.arrows.find((each) => each.id === id)?.causes[0]?.range ?? null);
  }

  /** A click on a group expands it, and one on the head of its frame collapses it. */
  click(id: string | null, isShift: boolean): void {
    const box = this.#model.boxes.get(id ?? '');
    if (box?.type === 'Group' && !isShift) {
      this.#expand(box.id);
    } else {
      this.#open(id, isShift);
    }
  }

  /** Expands a group, or collapses it, and selects it. */
  #expand(id: string): void {
    this.#grouper.toggle(id);
    this.#await(id);
    this.#say(this.#model.boxes.get(id)?.isExpanded ? `${this.#model.boxes.get(id)?.title ?? ''} is expanded` : 'The group is collapsed');
  }

  /** Selects a box and shows it when it has its place. */
  #await(id: string): void {
    this.#selected = id;
    this.#pathEnd = null;
    this.#awaited = id;
    this.#update(true);
  }

  groupBy(choice: Choice): void {
    this.#grouper.choice = choice;
    this.#grouper.expanded.clear();
    this.#chrome.groups.value = choice;
    this.#stage.viewport.moved = false;
    this.#update(true);
    const { by, members } = this.#grouper.groups;
    this.#say(by === 'none' ? 'No groups' : `${members.size} groups by ${GROUPED[by]}`);
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
    this.#draw();
    this.#showDetails();
    this.#say(id === null ? 'Nothing is selected' : (this.#stage.box(id)?.getAttribute('aria-label') ?? id));
  }

  /** Takes the selection back; the keys go on in the picture, at the box that was selected. */
  #close(): void {
    const box = this.#stage.box(this.#selected ?? '');
    this.select(null);
    (box ?? this.#stage.svg).focus({ preventScroll: true });
  }

  #markPath(end: string): void {
    this.#pathEnd = end;
    this.#draw();
    const count = this.#highlight?.arrows.size ?? 0;
    this.#say(
      count
        ? `The ways between ${this.#selected ?? ''} and ${end} have ${count} arrows`
        : `No way leads between ${this.#selected ?? ''} and ${end}`,
    );
  }

  #followCursor(position: Position): void {
    const found = boxAt(this.#full, position);
    const id = found ? this.#standIn(found.id) : null;
    if (id !== null && id !== this.#selected) {
      this.select(id);
    }
  }

  toggle(name: Toggle): void {
    this.#setToggle(name, !this.#shown[name]);
    if (name === 'map') {
      this.#minimap.toggle(this.#shown.map);
      this.host.remember('map', this.#shown.map ? 'on' : 'off');
      return;
    }
    if (name === 'fields' || name === 'instance' || name === 'comparison') {
      this.#ask();
    }
    // In the other order, everything stands elsewhere.
    this.#stage.viewport.moved &&= name !== 'deletion';
    this.#update(name === 'deletion');
  }

  #setToggle(name: Toggle, value: boolean): void {
    this.#shown[name] = value;
    this.#chrome.toggles[name].setAttribute('aria-pressed', String(value));
  }

  act(name: Action): void {
    if (name === 'fit') {
      this.fit();
    } else if (name === 'in' || name === 'out') {
      this.#stage.viewport.zoom(name === 'in' ? 1.25 : 0.8);
    } else if (name === 'group') {
      this.groupBy(nextChoice(this.#grouper.choice));
    } else if (name === 'expand' || name === 'unfold') {
      this.#folded.clear();
      this.#grouper.toggleAll();
      this.#stage.viewport.moved = false;
      this.#update(true);
    } else if (this.#model.boxes.get(this.#selected ?? '')?.type === 'Group') {
      this.#expand(this.#selected ?? '');
    } else if (this.#selected !== null) {
      this.#fold(this.#selected);
    }
  }

  #fold(id: string): void {
    if (!this.#folded.delete(id)) {
      this.#folded.add(id);
    }
    this.#update();
    this.#say(`${this.#model.boxes.get(id)?.folded ?? 0} boxes are folded into ${id}`);
  }

  #search(): void {
    this.#chrome.found.textContent = this.#finder.search(this.#full, this.#chrome.search.value);
  }

  /** Searches what the user wrote, and brings everything that was found into view. */
  find(): void {
    this.#search();
    const places = [...this.#look.found].map((id) => this.#layout?.boxes.get(id)).filter((place) => place !== undefined);
    if (places.length > 0) {
      this.#stage.viewport.showAll(places);
    }
    this.#draw();
    this.#say(this.#chrome.found.textContent);
  }

  /** Selects what was found next, and expands the group that it is in. */
  findNext(): void {
    const next = this.#finder.next(this.#selected) ?? '';
    const group = this.#grouper.standIn.get(next);
    if (group !== undefined) {
      this.#grouper.expanded.add(group);
      this.#await(next);
    } else if (next !== '') {
      this.select(next);
    }
  }

  #say(text: string): void {
    this.#chrome.status.textContent = text;
  }

  /** Shows the details of the selected box. */
  #showDetails(): void {
    const box = this.#model.boxes.get(this.#selected ?? '');
    this.#chrome.actions.fold.disabled = box === undefined;
    this.#details.show(box, this.#model);
    this.#putDetails();
  }

  /** Puts the details where they cover the least of the picture. */
  #putDetails(): void {
    if (this.#layout) {
      keepClear(this.#details.root, this.#stage.viewport, this.#placed, this.#layout, this.#look);
    }
  }

  export(format: ExportFormat): void {
    if (format === 'mermaid' || format === 'dot') {
      this.host.send({ type: 'export', format });
    } else if (this.#layout) {
      void this.#files.savePicture(`${this.#graph?.name ?? 'graph'}.graph`, format, this.#placed, this.#layout, this.#look);
    }
  }
}
