// The preview view: it receives previews from its host, and sends it the scenario that the user makes.

import { html, pageStyle } from '../chrome';
import { download } from '../files';
import type { PreviewHost } from '../host';
import type { PreviewMessage } from '../messages';
import { Revealer } from '../reveal';
import { styleByTheme } from '../theme';
import { verdictOn } from '../verdict';
import type { Preview, PreviewNode } from '../wire';
import { Baseline, textsOf } from './difference';
import { Assistant } from './editor/assistant';
import { editorStyle } from './editor/style';
import { InstancePanel } from './instance';
import { markSource } from './lines';
import { type NodeActions, NodeList } from './nodes';
import { ObjectList } from './objects';
import { deletionOf, differencesOf, statusOf } from './output';
import { PassStates, passToShow } from './passes';
import { type RefusalActions, refusalOf, refusedInstance, unreadOf } from './refused';
import { observedText, Scenario } from './scenario';
import { stuckOf } from './stuck';
import { formStyle } from './form/style';
import { listStyle } from './listStyle';
import { previewStyle } from './style';
import { Tabs } from './tabs';
import { Timeline } from './timeline';

/** How long a key in a field waits for the next one. */
const PAUSE_MILLISECONDS = 80;
const OWN = 'own';
const INSTANCE_TAB = 1;

export class PreviewView {
  readonly #scenario = new Scenario();
  readonly #baseline = new Baseline();
  readonly #title = html('strong', { id: 'kro-title' }, 'Preview');
  readonly #state = html('span', { class: 'state-pill' });
  readonly #instances = html('select', { 'aria-label': 'Instance', title: 'The instance that is previewed' });
  readonly #reset = html('button', { type: 'button', title: 'Take all changes of the scenario back' }, 'Reset');
  readonly #save = html(
    'button',
    { type: 'button', class: 'primary', title: 'A test for kro-ls test that expects what is shown' },
    'Save as test',
  );
  readonly #banner = html('div', { class: 'banner', role: 'alert', hidden: '' });
  readonly #spoken = html('div', { class: 'spoken', role: 'status', 'aria-live': 'polite' });
  readonly #loading = html(
    'div',
    { class: 'loading', role: 'status' },
    html('span', { class: 'spinner', 'aria-hidden': 'true' }),
    'Making the preview…',
  );
  readonly #statusPanel = html('div', {});
  readonly #changesPanel = html('div', {});
  readonly #deletionPanel = html('div', {});
  readonly #pin = html(
    'button',
    { type: 'button', 'aria-pressed': 'false', title: 'Compare with what is shown now, whatever is edited later' },
    'Compare from here',
  );
  readonly #changes = html('div', {});
  readonly #assistant: Assistant;
  readonly #instance: InstancePanel;
  readonly #timeline = new Timeline((pass) => {
    this.#at = pass;
    this.#drawPass();
    this.#objects.scrollToChanged();
  });
  readonly #nodes: NodeList;
  readonly #objects = new ObjectList(new PassStates({}), (line) => {
    this.#revealLine(line);
  });
  readonly #left: Tabs;
  readonly #right = new Tabs('What comes out', [
    { name: 'Objects', panel: html('div', {}, this.#objects.root) },
    { name: 'Status', panel: this.#statusPanel, isText: true },
    { name: 'Changes', panel: this.#changesPanel, isText: true },
    { name: 'Deletion', panel: this.#deletionPanel, isText: true },
  ]);
  #preview: Preview | null = null;
  #passes = new PassStates({});
  #at = 0;
  #selected: string | null = null;
  #cursor: number | null = null;
  #waiting: ReturnType<typeof setTimeout> | null = null;

  readonly #revealer;

  constructor(readonly host: PreviewHost) {
    this.#revealer = new Revealer(host, document.body);
    this.#assistant = new Assistant(host);
    this.#instance = new InstancePanel(this.#scenario, this.#assistant, () => {
      this.#askSoon();
    });
    this.#nodes = new NodeList(this.#scenario, this.#nodeActions());
    this.#left = new Tabs('What goes in', [
      { name: 'Nodes', panel: html('div', {}, this.#nodes.root) },
      { name: 'Instance', panel: this.#instance.root },
    ]);
    styleByTheme((colors) => pageStyle(colors) + previewStyle(colors) + formStyle(colors) + listStyle(colors) + editorStyle(colors));
    this.#changesPanel.append(html('div', { class: 'tools' }, this.#pin), this.#changes);
    document.body.append(this.#page());
    this.#listen();
    host.listen((message) => {
      this.#receive(message);
    });
    if (host.kept) {
      this.#scenario.restore(host.kept);
    }
    this.#ask();
  }

  #nodeActions(): NodeActions {
    return {
      assistant: this.#assistant,
      select: (id) => {
        this.#select(id);
      },
      reveal: (node) => {
        this.#revealNode(node);
      },
      revealRange: (range) => {
        this.#revealer.show(range);
      },
      changed: () => {
        this.#askSoon();
        this.#drawPass();
      },
      edit: this.host.edits
        ? (node) => {
            this.#edit(node);
          }
        : null,
      simulateAgain: ({ id }) => {
        this.#scenario.observed.delete(id);
        this.#discard([id]);
        this.#askSoon();
        this.#drawPass();
      },
    };
  }

  #page(): HTMLElement {
    const bar = html(
      'header',
      { role: 'group', 'aria-label': 'Preview' },
      this.#title,
      this.#state,
      html('span', { class: 'group' }, this.#instances, this.#reset, this.#save),
    );
    const panels = (tabs: Tabs): HTMLElement => html('div', { class: 'panels' }, ...tabs.tabs.map(({ panel }) => panel));
    return html(
      'main',
      { class: 'kro-view preview', 'aria-labelledby': 'kro-title' },
      bar,
      this.#banner,
      this.#timeline.root,
      html(
        'div',
        { class: 'panes' },
        html('section', { class: 'left' }, this.#left.list, panels(this.#left)),
        html('section', { class: 'right' }, this.#right.list, panels(this.#right)),
      ),
      this.#loading,
      this.#spoken,
    );
  }

  #listen(): void {
    this.#instances.addEventListener('change', () => {
      if (this.#instances.value !== OWN) {
        this.#scenario.instance = this.#scenario.then = null;
        this.host.send({ type: 'choose', definition: this.#preview?.definition ?? 0, instance: this.#instances.value || null });
        this.#ask();
      }
    });
    this.#reset.addEventListener('click', () => {
      this.#discard([...this.#scenario.observed.keys()]);
      this.#scenario.reset();
      this.#ask();
    });
    this.#save.addEventListener('click', () => {
      this.host.send({ type: 'test', scenario: this.#scenario.asked() });
    });
    document.addEventListener('keydown', (event) => {
      const { target } = event;
      if (event.key === '/' && !isTypedIn(event.composedPath()[0])) {
        event.preventDefault();
        const isRight = target instanceof Element && target.closest('.right') !== null;
        (isRight ? this.#objects : this.#nodes).focusSearch();
      }
    });
    this.#pin.addEventListener('click', () => {
      this.#baseline.pin(!this.#baseline.isPinned);
      this.#pin.setAttribute('aria-pressed', String(this.#baseline.isPinned));
      this.#drawChanges();
    });
  }

  #askSoon(): void {
    this.#reset.disabled = false;
    if (this.#waiting !== null) {
      clearTimeout(this.#waiting);
    }
    this.#waiting = setTimeout(() => {
      this.#ask();
    }, PAUSE_MILLISECONDS);
  }

  #ask(): void {
    this.#waiting = null;
    this.host.keep(this.#scenario.kept());
    this.host.send({ type: 'preview', scenario: this.#scenario.asked() });
  }

  #receive(message: PreviewMessage): void {
    document.getElementById('kro-skeleton')?.remove();
    this.#loading.hidden ||= ['preview', 'gone', 'problem'].includes(message.type);
    switch (message.type) {
      case 'preview':
        this.#update(message.preview);
        break;
      case 'gone':
      case 'problem':
        this.#warn(message.message);
        break;
      case 'cursor':
        this.#followCursor(message.line);
        break;
      case 'select':
        this.#select(message.node);
        break;
      case 'observed':
        this.#observe(message.node, message.text);
        break;
      case 'assistance':
        this.#assistant.answered(message.number, message.answer);
        break;
      case 'text':
        download(message.title, new Blob([message.text], { type: 'text/plain' }));
    }
  }

  #update(preview: Preview): void {
    const before = this.#preview;
    this.#preview = preview;
    this.#scenario.readable = preview.readable;
    this.#at = passToShow(this.#at, before?.passes?.length ?? 0, preview);
    this.#passes = new PassStates(preview);
    if (preview.nodes) {
      this.#scenario.keepOnly(new Set(preview.nodes.map(({ id }) => id)));
      if (preview.state !== null && preview.errors.length === 0) {
        // What is shown while somebody is in the middle of typing is nothing to compare with.
        this.#baseline.see(textsOf(preview), performance.now());
      }
    }
    this.#describe(preview);
    this.#showProblems(preview);
    this.#instance.show(preview);
    this.#timeline.show(this.#passes.passes, this.#at);
    this.#deletionPanel.replaceChildren(...deletionOf(preview));
    this.#drawChanges();
    this.#drawPass();
    if (!before && this.#selected !== null) {
      this.#objects.scrollTo(this.#selected);
    }
    document.body.dataset['drawn'] = String(preview.version ?? '');
    document.body.dataset['answers'] = String(Number(document.body.dataset['answers'] ?? 0) + 1);
  }

  #describe({ name, instance, instances }: Preview): void {
    this.#title.textContent = name ?? 'Preview';
    const isOwn = this.#scenario.instance !== null;
    const choices = [
      ...(isOwn ? [html('option', { value: OWN }, 'Edited here')] : []),
      ...instances.map(({ uri, label }) => html('option', { value: uri }, label)),
      html('option', { value: '' }, instances.length ? 'Whichever is found first' : 'A generated sample'),
    ];
    this.#instances.replaceChildren(...choices);
    this.#instances.value = isOwn ? OWN : (instance.uri ?? '');
    this.#reset.disabled = !this.#scenario.isEdited;
  }

  /** Says why there is no state of kro's, or whose state is shown, and dims what is not the result of what is written. */
  #showProblems(preview: Preview): void {
    const actions: RefusalActions = {
      reveal: (range) => {
        this.#revealer.show(range);
      },
    };
    const refusal = refusalOf(preview, actions);
    const unread = unreadOf(preview, (line) => this.#scenario.ownerOfObserved(line));
    document.body.classList.toggle('refused', refusal.length > 0);
    document.body.classList.toggle('outdated', preview.state === null);
    this.#save.disabled = refusal.length > 0 || unread.length > 0;
    const instance = refusedInstance(preview, (path) => {
      this.#left.choose(INSTANCE_TAB);
      this.#instance.focusField(path);
    });
    this.#warn(...refusal, ...unread, ...instance, ...preview.problems, ...stuckOf(preview, actions));
  }

  #warn(...warnings: readonly (string | HTMLElement)[]): void {
    this.#banner.hidden = warnings.length === 0;
    this.#banner.replaceChildren(...warnings.map((each) => (typeof each === 'string' ? html('p', {}, each) : each)));
  }

  /** Draws what is different from pass to pass. */
  #drawPass(): void {
    const preview = this.#preview;
    if (!preview) {
      return;
    }
    this.#drawState(preview);
    this.#nodes.show({
      nodes: preview.nodes ?? [],
      missing: preview.missing,
      passes: this.#passes,
      at: this.#at,
      selected: this.#selected,
    });
    this.#objects.show(this.#passes, this.#at);
    this.#statusPanel.replaceChildren(
      ...statusOf(
        preview,
        this.#at,
        (line) => {
          this.#revealLine(line);
        },
        (range) => {
          this.#revealer.show(range);
        },
      ),
    );
    this.#left.count(0, (preview.nodes?.length ?? 0) + preview.missing.length);
    this.#right.count(0, this.#objects.count);
    this.#mark(false);
  }

  /** The state that the instance has after the pass. */
  #drawState(preview: Preview): void {
    const { state, settled, faults } = preview;
    const verdict = verdictOn(preview.errors.length);
    // What is shown of an earlier text is no state of the one that is written.
    const without = faults.some(({ line }) => line !== undefined) ? 'UNREADABLE' : 'REFUSED';
    const now = state === null ? without : (this.#passes.passes[this.#at]?.state ?? state);
    const isLast = this.#at >= this.#passes.passes.length - 1;
    this.#state.className = `state-pill of-${now.toLowerCase().replace(/_/g, '-')}`;
    this.#state.textContent = verdict || (isLast && settled === false ? `${now} · still changing` : now);
    this.#spoken.textContent = verdict || `The instance is ${this.#state.textContent}`;
  }

  #drawChanges(): void {
    const { differences } = this.#baseline;
    this.#right.count(2, differences.length);
    this.#changes.replaceChildren(...differencesOf(differences, this.#baseline.isPinned));
  }

  // What the cluster says, edited in a document of the host's.

  #edit({ id, apiVersion, kind, observed }: PreviewNode): void {
    const text = this.#scenario.observed.get(id) ?? observedText(observed);
    this.host.send({ type: 'edit', node: id, apiVersion, kind, text });
  }

  #observe(id: string, text: string): void {
    this.#scenario.observed.set(id, text);
    this.#askSoon();
    this.#drawPass();
  }

  #discard(nodes: string[]): void {
    if (this.host.edits && nodes.length > 0) {
      this.host.send({ type: 'discard', nodes });
    }
  }

  // To the text and back.

  #select(id: string): void {
    this.#selected = id;
    this.#drawPass();
    this.#objects.scrollTo(id);
  }

  #revealNode(node: PreviewNode): void {
    const at = { line: node.line, character: 0 };
    const isLast = this.#at >= this.#passes.passes.length - 1;
    this.#revealer.show(isLast && node.range ? node.range : { start: at, end: at });
  }

  #revealLine(line: number): void {
    const at = { line, character: 0 };
    this.#revealer.show({ start: at, end: at });
  }

  #followCursor(line: number): void {
    this.#cursor = line;
    const nodes = [...(this.#preview?.nodes ?? [])].sort((one, other) => one.line - other.line);
    const node = nodes.filter((each) => each.line <= line).at(-1);
    if (node && node.id !== this.#selected) {
      this.#selected = node.id;
      this.#drawPass();
      document.getElementById(`node-${node.id}`)?.scrollIntoView({ block: 'nearest' });
      this.#objects.scrollTo(node.id);
    }
    this.#mark(true);
  }

  /** Marks the lines that come from the cursor's. */
  #mark(scroll: boolean): void {
    const found = [this.#objects.root, this.#statusPanel].map((root) => markSource(root, this.#cursor)).find((row) => row !== null);
    if (scroll) {
      found?.scrollIntoView({ block: 'nearest' });
    }
  }
}

/** Whether keys that are pressed there are characters of a text. */
function isTypedIn(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'));
}
