/**
 * The steps of the walkthrough (`package.json`) are ticked off by what happened, however it came about.
 *
 * VS Code reads a walkthrough when its page opens, and never ticks off a step whose context key is true by then. So keys
 * are set for a moment after a page opened, and after each thing that is done while one is open.
 */
import * as vscode from 'vscode';

export type Step = 'hasServer' | 'hasDefinition' | 'hasShownErrors' | 'hasShownPreview' | 'hasRunTests';

const DELAYS = [500, 3000];
const MOMENT = 250;

const done = new Set<Step>();

/** Takes note that what a step is about was done. */
export function tick(step: Step): void {
  if (!done.has(step)) {
    done.add(step);
    if (vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isPage))) {
      setContexts();
    }
  }
}

/** Ticks off what was done before the page opens. */
export function watchWalkthrough(): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    if (opened.some(isPage)) {
      setContexts();
    }
  });
}

/** A page of VS Code's own, as that of a walkthrough is, has no input that extensions see. */
function isPage(tab: vscode.Tab): boolean {
  return tab.input === undefined;
}

function setContexts(): void {
  const set = (value: boolean) => {
    for (const step of done) {
      void vscode.commands.executeCommand('setContext', `kro.${step}`, value);
    }
  };
  for (const delay of DELAYS) {
    setTimeout(set, delay, true);
    setTimeout(set, delay + MOMENT, false);
  }
}
