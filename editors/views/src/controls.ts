// What the mouse and the toolbar do, as calls of the view.

import type { Action, Chrome, ExportFormat, Toggle } from './chrome';
import type { Choice } from './grouper';

export interface Actions {
  clickArrow(id: string): void;
  /** A click on a box, or on none. */
  click(id: string | null, isShift: boolean): void;
  press(event: KeyboardEvent): void;
  find(): void;
  findNext(): void;
  toggle(name: Toggle): void;
  act(name: Action): void;
  groupBy(choice: Choice): void;
  chooseDefinition(number: number): void;
  chooseInstance(uri: string | null): void;
  export(format: ExportFormat): void;
}

export function controls(chrome: Chrome, svg: SVGSVGElement, actions: Actions): void {
  svg.addEventListener('click', (event) => {
    const target = event.target as Element;
    const arrow = target.closest('[data-arrow]')?.getAttribute('data-arrow') ?? null;
    if (arrow !== null) {
      actions.clickArrow(arrow);
    } else {
      actions.click(target.closest('[data-id]')?.getAttribute('data-id') ?? null, event.shiftKey);
    }
    // The keys of the picture go on working: the text is shown, but the focus stays here.
    svg.focus({ preventScroll: true });
  });
  svg.addEventListener('keydown', (event) => {
    actions.press(event);
  });
  search(chrome, svg, actions);
  for (const [name, button] of Object.entries(chrome.toggles)) {
    button.addEventListener('click', () => {
      actions.toggle(name as Toggle);
    });
  }
  for (const [name, button] of Object.entries(chrome.actions)) {
    button.addEventListener('click', () => {
      actions.act(name as Action);
    });
  }
  pick(chrome.groups, (value) => {
    actions.groupBy(value as Choice);
  });
  pick(chrome.definitions, (value) => {
    actions.chooseDefinition(Number(value));
  });
  pick(chrome.instances, (value) => {
    actions.chooseInstance(value || null);
  });
  pick(chrome.export, (value) => {
    chrome.export.value = '';
    actions.export(value as ExportFormat);
  });
}

function search(chrome: Chrome, svg: SVGSVGElement, actions: Actions): void {
  chrome.search.addEventListener('input', () => {
    actions.find();
  });
  chrome.search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      actions.findNext();
    } else if (event.key === 'Escape') {
      chrome.search.value = '';
      actions.find();
      svg.focus();
    }
  });
}

function pick(select: HTMLSelectElement, picked: (value: string) => void): void {
  select.addEventListener('change', () => {
    picked(select.value);
  });
}
