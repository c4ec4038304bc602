/** Makes the server's completions at home in VS Code. */
import * as vscode from "vscode";

type Completions = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

/**
 * An item that no typed word matches. VS Code asks for words of other files where a provider has nothing; in a definition
 * Enter would then put such a word in the place of what was typed.
 */
function nothing(word: vscode.Range): vscode.CompletionList {
  const item = new vscode.CompletionItem("no suggestions");
  item.filterText = "\u0000";
  item.insertText = "";
  item.range = word;
  return new vscode.CompletionList([item], true);
}

/** YAML's own words have two characters or more. */
const WORD = /[^\s"'{}[\],:]+/;

/** What ends with an empty place: after `key: `, a dash, `marker=`, or on a line of its own. */
const LEAVES_PLACE = /^[^$]*?(?:[:-] |=|\n *)(?:\$\d|$)/;

/** Adds what VS Code needs to a list: no words of other files, and the next list where an item leaves a place empty. */
export function completed(found: Completions, document: vscode.TextDocument, position: vscode.Position): Completions {
  const items = Array.isArray(found) ? found : (found?.items ?? []);
  if (items.length === 0) {
    const word = document.getWordRangeAtPosition(position, WORD);
    return word ? nothing(new vscode.Range(word.start, position)) : found;
  }
  for (const item of items) {
    const text = item.insertText instanceof vscode.SnippetString ? item.insertText.value : (item.insertText ?? "");
    if (LEAVES_PLACE.test(text)) {
      item.command ??= { command: "editor.action.triggerSuggest", title: "Suggest" };
    }
  }
  return found;
}
