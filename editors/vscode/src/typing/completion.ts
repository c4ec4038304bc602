/** Makes the server's completions at home in VS Code. */
import * as vscode from 'vscode';
import type { Session } from '../session';

type Completions = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

/**
 * An item that no typed word matches. VS Code asks for words of other files where a provider has nothing; in a definition
 * Enter would then put such a word in the place of what was typed.
 */
function nothing(word: vscode.Range): vscode.CompletionList {
  const item = new vscode.CompletionItem('no suggestions');
  item.filterText = '\u0000';
  item.insertText = '';
  item.range = word;
  return new vscode.CompletionList([item], true);
}

/** YAML's own words have two characters or more. */
const WORD = /[^\s"'{}[\],:]+/;

const SUGGEST = 'kro.suggestIfKnown';

/**
 * Shows suggestions where the server has some: else VS Code would list the words of all files.
 *
 * They appear as automatic suggestions. Requested ones would stay open when nothing fits any more, and take the Enter
 * that should end the line.
 */
export function registerSuggest(): vscode.Disposable {
  return vscode.commands.registerCommand(SUGGEST, async () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return;
    }
    const { document, selection } = editor;
    const { version } = document;
    const found = await vscode.commands.executeCommand<vscode.CompletionList | undefined>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      selection.active,
    );
    const isThere = document.version === version && selection.isEqual(editor.selection);
    if (isThere && found?.items.some(({ kind }) => kind !== vscode.CompletionItemKind.Text)) {
      await vscode.commands.executeCommand('editor.action.triggerSuggest', { auto: true });
    }
  });
}

/** Keeps the words of all files away from ours while there is no server that has something better. */
export function offerNoWords(session: Session): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    { language: 'yaml' },
    {
      provideCompletionItems(document, position) {
        const isWaiting = session.concerns(document) && !session.gate.follows(document.uri.toString());
        const word = isWaiting ? document.getWordRangeAtPosition(position, WORD) : undefined;
        return word ? nothing(new vscode.Range(word.start, position)) : undefined;
      },
    },
  );
}

/** What ends with an empty place: after `key: `, a dash, `marker=`, or on a line of its own. */
const LEAVES_PLACE = /^[^$]*?(?:[:-] |=|\n *)(?:\$\d|$)/;

/** Asks for completions and adds what VS Code needs: no words of other files, the next list where a place is left empty. */
export async function completions(
  ask: () => vscode.ProviderResult<vscode.CompletionItem[] | vscode.CompletionList>,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<Completions> {
  let found: Completions;
  try {
    found = await ask();
  } catch (error) {
    if (!(error instanceof vscode.CancellationError)) {
      throw error;
    }
    // An edit overtook the question. VS Code takes that for an answer without items, and goes on to the words.
  }
  const items = Array.isArray(found) ? found : (found?.items ?? []);
  if (items.length === 0) {
    const word = document.getWordRangeAtPosition(position, WORD);
    return word ? nothing(new vscode.Range(word.start, position)) : found;
  }
  for (const item of items) {
    const text = item.insertText instanceof vscode.SnippetString ? item.insertText.value : (item.insertText ?? '');
    if (LEAVES_PLACE.test(text)) {
      item.command ??= { command: SUGGEST, title: 'Suggest' };
    }
  }
  return found;
}
