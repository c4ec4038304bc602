// Typing over a selection of several lines. Left to itself, Chromium merges the lines with a `style` attribute, which the
// page's content security policy refuses; so the library makes this edit.

import { EditorView } from '@codemirror/view';

export const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    const { from, to } = state.selection.main;
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing || state.doc.lineAt(from).to >= to) {
      return false;
    }
    event.preventDefault();
    view.dispatch(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});
