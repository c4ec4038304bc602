// What is wrong with a typed text, as the editor marks it and as lines under it, which lead to their places.

import type { Action, Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

import { html } from '../../chrome';
import type { FoundProblem } from './assistant';
import { offsetAt } from './positions';

const WARNING = 2;
const MOST = 3;

/** The problem as the editor has it; what takes no place in the text is marked at the next or previous character. */
export function diagnosticOf(problem: FoundProblem, text: Text): Diagnostic {
  const { range, severity, message, relatedInformation = [], fixes } = problem;
  const [start, end] = [offsetAt(text, range.start), offsetAt(text, range.end)];
  const notes = relatedInformation.map((each) => each.message);
  return {
    from: start === end && start === text.length ? Math.max(start - 1, 0) : start,
    to: start === end ? Math.min(start + 1, text.length) : end,
    severity: severity < WARNING ? 'error' : 'warning',
    message: [message, ...notes].join('\n'),
    actions: fixes.map(({ title, edits }): Action => ({
      name: title,
      apply: (view) => {
        view.dispatch({
          changes: edits.map(({ range: place, newText }) => ({
            from: offsetAt(view.state.doc, place.start),
            to: offsetAt(view.state.doc, place.end),
            insert: newText,
          })),
          userEvent: 'input.complete',
        });
      },
    })),
  };
}

/** The lines under an editor. */
export class ProblemLines {
  readonly root = html('ul', { class: 'problems', role: 'status', 'aria-label': 'Problems' });
  #shown = '[]';

  constructor(readonly view: () => EditorView) {}

  show(found: readonly FoundProblem[]): void {
    const shown = JSON.stringify(found.map(({ range, message }) => [range.start, message]));
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    const more = found.length - MOST;
    this.root.replaceChildren(
      ...found.slice(0, MOST).map((each) => this.#line(each)),
      ...(more > 0 ? [html('li', {}, `and ${more} more`)] : []),
    );
  }

  #line({ range, severity, message }: FoundProblem): HTMLElement {
    const link = html(
      'button',
      { type: 'button', class: severity < WARNING ? 'error' : 'warning' },
      html('small', {}, `line ${range.start.line + 1}`),
      ` ${message}`,
    );
    link.addEventListener('click', () => {
      const view = this.view();
      view.dispatch({ selection: { anchor: offsetAt(view.state.doc, range.start) }, scrollIntoView: true });
      view.focus();
    });
    return html('li', {}, link);
  }
}
