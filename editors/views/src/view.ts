// The graph view: what the user sees and does. Its host sends graphs, and the picture follows them.

import { aim, fit } from './aim';
import { makeChrome, pageStyle, SHOWN, type Action, type ExportFormat, type Toggle } from './chrome';
import { pictureStyle } from './colors';
import type { Graph, Position } from './wire';
import { controls, type Actions } from './controls';
import { Details } from './details';
import { Files } from './files';
import { Grouper, nextChoice, type Choice } from './grouper';
import { describeGraph, GROUPED, showMessage } from './heading';
import { keepClear } from './panel';
import type { GraphHost } from './host';
import type { GraphMessage } from './messages';
import { keyOf, nextBox } from './keyboard';
import { EMPTY, type Layout } from './layout';
import { Layouts, LayoutTimeout, type Wanted } from './layouts';
import type { Look } from './look';
import { Minimap } from './minimap';
import type { Model } from './model';
import { quick } from './quick';
import { Renames } from './renames';
import { Revealer } from './reveal';
import { Scene } from './scene';
import { countLayout, Stage } from './stage';
import { styleByTheme } from './theme';
import type { WorkerLike } from './elk';

export class GraphView implements Actions {
  readonly #chrome = makeChrome();
  readonly #stage = new Stage('Dependency graph', 'kro-help', () => {
    this.#draw();
  });
  readonly #minimap = new Minimap(this.#stage.viewport);
  readonly #layouts;
  readonly #grouper = new Grouper();
  readonly #scene = new Scene(this.#grouper);
  readonly #files;
  readonly #revealer;
  readonly #details;
  readonly #shown = { ...SHOWN };
  #graph: Graph | null = null;
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
      pane: () => this.#stage.viewport.pane,
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
    const { viewport, model, layout } = this.#stage;
    if (layout) {
      fit(viewport, model, layout);
    }
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
      showMessage(this.#chrome, this.#stage.layout ? `${message.message} This is the last picture.` : message.message, 'stale');
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
    if (this.#stage.layout && before?.definition === graph.definition) {
      this.#stage.rename(names);
      this.#scene.rename(names);
    }
    this.#update();
  }

  /** Draws the graph as it is now: at once in the places that are known, and again when better ones are found. */
  #update(isAsking = false): void {
    const graph = this.#graph;
    if (!graph) {
      return;
    }
    this.host.keep({ definition: this.#definition, shown: this.#shown });
    const { layout, viewport } = this.#stage;
    const held = this.#renames.areOpen && !isAsking ? layout : null;
    const wanted = this.#scene.update(graph, this.#shown.deletion ? 'deletion' : 'creation', held, viewport.pane);
    describeGraph(this.#chrome, graph, this.#grouper, this.#scene.folded.size > 0, this.host.reveals);
    this.#search();
    this.#layOut(wanted, isAsking, held !== null || graph.cycles.length > 0);
  }

  #layOut(wanted: Wanted, isAsking: boolean, stays: boolean): void {
    const before = this.#stage.layout;
    const layout = this.#layouts.update(wanted, before, this.#shown.labels, { isAsking, stays });
    if (layout) {
      this.#stage.place(wanted.model, layout);
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
    const { layout } = this.#stage;
    if (!layout || this.#stage.model !== model) {
      this.#place(model, quick(model, layout ?? EMPTY));
    }
    this.#say('A layout with fewer crossings would take too long.');
    countLayout();
  }

  #place(model: Model, layout: Layout): void {
    this.#chrome.loading.hidden = true;
    const before = this.#stage.layout;
    const awaited = this.#awaited;
    this.#awaited = null;
    this.#stage.place(model, layout);
    aim(this.#stage.viewport, model, before, layout, awaited, this.#scene.selected);
    this.#draw();
    if (awaited !== null && awaited === this.#scene.selected) {
      this.#showDetails();
      this.#stage.box(awaited)?.focus({ preventScroll: true });
    } else if (!this.#stage.viewport.moved) {
      keepClear(this.#details.root, this.#stage, this.#look);
    }
    countLayout();
  }

  #draw(): void {
    const { model, layout } = this.#stage;
    if (layout) {
      const look = this.#look;
      this.#stage.show(model, layout, look);
      this.#minimap.show(model, layout, look);
      document.body.dataset['drawn'] = String(this.#graph?.version ?? '');
      performance.mark('kro-drawn');
    }
  }

  get #look(): Look {
    return {
      selected: this.#scene.selected,
      highlight: this.#scene.highlight(this.#shown.critical),
      found: this.#scene.found,
      labels: this.#shown.labels && (this.#stage.layout?.labels ?? false),
      critical: this.#shown.critical,
      zoom: this.#stage.zoom,
    };
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
    const here = this.#stage.focused ?? this.#scene.selected;
    if (key === 'open' || (key === 'select' && !event.shiftKey && this.#scene.box(here)?.type === 'Group')) {
      this.click(here, event.shiftKey);
    } else if (key === 'select') {
      this.select(this.#stage.focused);
    } else if (key === 'clear') {
      this.select(null);
    } else if (key === 'search') {
      this.#chrome.search.focus();
    } else if ('go' in key) {
      this.#goTo(this.#stage.layout ? nextBox(key.go, here, this.#stage.model, this.#stage.layout) : null);
    } else if ('act' in key) {
      this.act(key.act);
    } else {
      this.toggle(key.toggle);
    }
  }

  /** Shows the line that an arrow comes from. */
  clickArrow(id: string): void {
    this.#revealer.show(this.#stage.model.arrows.find((each) => each.id === id)?.causes[0]?.range ?? null);
  }

  /** A click on a group expands it, and one on the head of its frame collapses it; on another box it shows its line. */
  click(id: string | null, isShift: boolean): void {
    const box = this.#scene.box(id);
    if (id !== null && isShift && this.#scene.selected !== null) {
      this.#markPath(id);
    } else if (box?.type === 'Group' && !isShift) {
      this.#expand(box.id);
    } else {
      this.select(id);
      this.#revealer.show(box?.range ?? null);
    }
  }

  /** Expands a group, or collapses it, and selects it. */
  #expand(id: string): void {
    this.#grouper.toggle(id);
    this.#await(id);
    const box = this.#scene.box(id);
    this.#say(box?.isExpanded ? `${box.title} is expanded` : 'The group is collapsed');
  }

  /** Selects a box and shows it when it has its place. */
  #await(id: string): void {
    this.#scene.select(id);
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

  #goTo(id: string | null): void {
    if (id !== null) {
      this.select(id);
      this.#stage.box(id)?.focus({ preventScroll: true });
    }
  }

  /** Selects a box, as a click does, and brings it into view. */
  select(id: string | null): void {
    this.#scene.select(id);
    const place = id === null ? undefined : this.#stage.layout?.boxes.get(id);
    if (place) {
      this.#stage.viewport.show(place);
    }
    this.#draw();
    this.#showDetails();
    this.#say(id === null ? 'Nothing is selected' : (this.#stage.box(id)?.getAttribute('aria-label') ?? id));
  }

  /** Takes the selection back; the keys go on in the picture, at the box that was selected. */
  #close(): void {
    const box = this.#stage.box(this.#scene.selected ?? '');
    this.select(null);
    (box ?? this.#stage.svg).focus({ preventScroll: true });
  }

  #markPath(end: string): void {
    this.#scene.markPath(end);
    this.#draw();
    const count = this.#look.highlight?.arrows.size ?? 0;
    this.#say(
      count
        ? `The ways between ${this.#scene.selected ?? ''} and ${end} have ${count} arrows`
        : `No way leads between ${this.#scene.selected ?? ''} and ${end}`,
    );
  }

  #followCursor(position: Position): void {
    const id = this.#scene.boxAt(position);
    if (id !== null && id !== this.#scene.selected) {
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
    const { selected } = this.#scene;
    if (name === 'fit') {
      this.fit();
    } else if (name === 'in' || name === 'out') {
      this.#stage.viewport.zoom(name === 'in' ? 1.25 : 0.8);
    } else if (name === 'group') {
      this.groupBy(nextChoice(this.#grouper.choice));
    } else if (name === 'expand' || name === 'unfold') {
      this.#scene.folded.clear();
      this.#grouper.toggleAll();
      this.#stage.viewport.moved = false;
      this.#update(true);
    } else if (this.#scene.box(selected)?.type === 'Group') {
      this.#expand(selected ?? '');
    } else if (selected !== null) {
      this.#fold(selected);
    }
  }

  #fold(id: string): void {
    this.#scene.fold(id);
    this.#update();
    this.#say(`${this.#scene.box(id)?.folded ?? 0} boxes are folded into ${id}`);
  }

  #search(): void {
    this.#chrome.found.textContent = this.#scene.search(this.#chrome.search.value);
  }

  /** Searches what the user wrote, and brings everything that was found into view. */
  find(): void {
    this.#search();
    const places = [...this.#look.found].map((id) => this.#stage.layout?.boxes.get(id)).filter((place) => place !== undefined);
    if (places.length > 0) {
      this.#stage.viewport.showAll(places);
    }
    this.#draw();
    this.#say(this.#chrome.found.textContent);
  }

  /** Selects what was found next, and expands the group that it is in. */
  findNext(): void {
    const next = this.#scene.nextFound ?? '';
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
    const box = this.#scene.box(this.#scene.selected);
    this.#chrome.actions.fold.disabled = box === undefined;
    this.#details.show(box, this.#scene.model);
    keepClear(this.#details.root, this.#stage, this.#look);
  }

  export(format: ExportFormat): void {
    const { model, layout } = this.#stage;
    if (format === 'mermaid' || format === 'dot') {
      this.host.send({ type: 'export', format });
    } else if (layout) {
      void this.#files.savePicture(`${this.#graph?.name ?? 'graph'}.graph`, format, model, layout, this.#look);
    }
  }
}
