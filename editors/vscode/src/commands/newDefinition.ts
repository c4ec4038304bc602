/** A new file with a whole definition to change. */
import * as vscode from 'vscode';
import { DEFINITION } from '../typing/beginnings';

export async function newDefinition(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'yaml' });
  const editor = await vscode.window.showTextDocument(document);
  await editor.insertSnippet(new vscode.SnippetString(DEFINITION));
}
