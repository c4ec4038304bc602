/** A new file with the snippet of a whole definition. */
import * as vscode from "vscode";

export async function newDefinition(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "yaml" });
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand("editor.action.insertSnippet", { langId: "yaml", name: "kro definition" });
}
