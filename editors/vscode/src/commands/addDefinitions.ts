/** Names the files that declare a kind in the setting `kro.crds`, and offers that where a kind is unknown. */
import * as vscode from 'vscode';

const COMMAND = 'kro.addDefinitions';
const UNKNOWN = 'unknown-kind';

/** Lets the user choose files or a folder with CustomResourceDefinitions, and adds them to the settings. */
export async function addDefinitions(kind?: unknown): Promise<void> {
  const title = typeof kind === 'string' ? `CustomResourceDefinition of ${kind}` : 'CustomResourceDefinitions of the kinds in use';
  const chosen = await vscode.window.showOpenDialog({
    title,
    openLabel: 'Add',
    canSelectFiles: true,
    canSelectFolders: true,
    canSelectMany: true,
    filters: { YAML: ['yaml', 'yml', 'json'] },
  });
  if (!chosen) {
    return;
  }
  const settings = vscode.workspace.getConfiguration('kro');
  const paths = [...settings.get<string[]>('crds', []), ...chosen.map((uri) => uri.fsPath)];
  const target = vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await settings.update('crds', [...new Set(paths)], target);
}

/** Offers it as a fix of an unknown kind. */
export function offerDefinitions(): vscode.Disposable {
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  return vscode.languages.registerCodeActionsProvider(
    { language: 'yaml' },
    {
      provideCodeActions: (document, _range, { diagnostics }) =>
        diagnostics.filter(isUnknown).map((diagnostic) => {
          const action = new vscode.CodeAction('Add definitions for this kind...', vscode.CodeActionKind.QuickFix);
          action.diagnostics = [diagnostic];
          const kind = document.getText(diagnostic.range);
          action.command = { command: COMMAND, title: action.title, arguments: [kind] };
          return action;
        }),
    },
    kinds,
  );
}

function isUnknown({ code, source }: vscode.Diagnostic): boolean {
  return source === 'kro' && (typeof code === 'object' ? code.value : code) === UNKNOWN;
}
