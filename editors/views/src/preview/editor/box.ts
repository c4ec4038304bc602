// The place of an editor of YAML. The editor is loaded when the place is first seen; until then its text can be read there.

import { html } from '../../chrome';
import type { Ask } from './assistant';
import type { YamlEditor } from './yamlEditor';

export interface EditorOptions {
  id: string;
  label: string;
  placeholder: string;
  ask: Ask;
  /** The user has typed. */
  changed: (text: string) => void;
}

/** How the keys leave an editor. */
const LEAVING = 'Escape, then Tab, leaves the editor.';

export class EditorBox {
  readonly #waiting = html('pre', { class: 'editor unloaded' });
  readonly root = html('div', { class: 'yaml-editor' }, this.#waiting, html('p', { class: 'way-out', 'aria-hidden': 'true' }, LEAVING));
  #editor: YamlEditor | null = null;
  #isLoading = false;
  #text = '';
  #context = '';
  #takesFocus = false;

  constructor(readonly options: EditorOptions) {
    this.#waiting.setAttribute('aria-label', options.label);
    const seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        seen.disconnect();
        void this.#load();
      }
    });
    seen.observe(this.root);
  }

  get hasFocus(): boolean {
    return this.#editor?.hasFocus ?? false;
  }

  focus(): void {
    this.#takesFocus = true;
    this.#editor?.focus();
    void this.#load();
  }

  /** Shows a text, with as little change as can be: selection, scroll and the way back stay. */
  show(text: string): void {
    this.#text = text;
    this.#waiting.textContent = text;
    this.#editor?.show(text);
  }

  /** Shows another text, which the user cannot go back from. */
  begin(text: string): void {
    this.show(text);
    this.#editor?.begin(text);
  }

  /** Has the text checked again where something else that it depends on has changed. */
  checkFor(context: string): void {
    this.#context = context;
    this.#editor?.checkFor(context);
  }

  async #load(): Promise<void> {
    if (this.#isLoading) {
      return;
    }
    this.#isLoading = true;
    try {
      const { YamlEditor } = await import('./yamlEditor');
      this.#editor = new YamlEditor(this.#waiting, { ...this.options, label: `${this.options.label}. ${LEAVING}` });
    } catch (error) {
      this.root.append(
        html('p', { class: 'note', role: 'alert' }, `The editor could not be loaded; open the preview again. (${String(error)})`),
      );
      return;
    }
    this.#editor.begin(this.#text);
    this.#editor.checkFor(this.#context);
    if (this.#takesFocus) {
      this.#editor.focus();
    }
  }
}
