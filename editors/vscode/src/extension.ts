/**
 * What VS Code loads for every YAML file, so it is small: it waits for a document that concerns kro, a test file or a
 * command, and only then loads the rest.
 */
import * as vscode from 'vscode';
import type * as Main from './main';
import { SCHEME } from './preview/observedFiles';
import { concernsKro } from './relevance';
import { offerBeginnings } from './typing/beginnings';

const NO_KINDS: ReadonlySet<string> = new Set();
const TESTS = '**/*.test.{yaml,yml}';

let main: Main.Main | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const load = () => {
    if (!main) {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded late on purpose
      const module = require('./main') as typeof Main;
      main = module.start(context);
      watching.dispose();
    }
    return main;
  };
  const look = (document: vscode.TextDocument) => {
    if (document.languageId === 'yaml' && concernsKro(document.uri.path, document.getText(), NO_KINDS)) {
      load();
    }
  };
  const watching = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      look(document);
    }),
  );
  context.subscriptions.push(watching, offerBeginnings());

  const manifest = context.extension.packageJSON as { contributes: { commands: { command: string }[] } };
  for (const { command } of manifest.contributes.commands) {
    context.subscriptions.push(vscode.commands.registerCommand(command, (...args: unknown[]) => load().run(command, args)));
  }
  for (const kind of ['graph', 'preview'] as const) {
    const deserializeWebviewPanel = (panel: vscode.WebviewPanel, state: unknown) => load().restore(kind, panel, state);
    context.subscriptions.push(vscode.window.registerWebviewPanelSerializer(`kro.${kind}`, { deserializeWebviewPanel }));
  }
  if (vscode.window.tabGroups.all.some((group) => group.tabs.some(isObserved))) {
    load(); // which closes them
  }
  vscode.workspace.textDocuments.forEach(look);
  void vscode.workspace.findFiles(TESTS, '**/node_modules/**', 1).then((found) => {
    if (found.length > 0) {
      load();
    }
  });
}

/** Whether a tab shows what the cluster says of a node, from before the window was loaded again. */
function isObserved({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputText && input.uri.scheme === SCHEME;
}

export async function deactivate(): Promise<void> {
  await main?.stop();
}
