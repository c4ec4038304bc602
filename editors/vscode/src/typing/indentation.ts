/**
 * How definitions are indented: the next level after `key:`, beside the first key of an item, inside a block scalar, and
 * at its place what is pasted.
 *
 * VS Code has rules for a language only, so ours are set while a definition has the focus: other YAML stays as it is.
 */
import * as vscode from 'vscode';
import type { Session } from '../session';
import { indented } from './pasted';

const KEY = String.raw`(?:[\w./$-]+|"[^"]*"|'[^']*')\s*:`;
const OPEN = String.raw`(?:\s+[|>][-+0-9]*)?\s*(?:#.*)?`;
const { Indent, None } = vscode.IndentAction;

const RULES: vscode.LanguageConfiguration = {
  onEnterRules: [
    { beforeText: new RegExp(`^\\s*-\\s+${KEY}${OPEN}$`), action: { indentAction: Indent, appendText: '  ' } },
    { beforeText: new RegExp(`^\\s*-\\s+${KEY}\\s+\\S.*$`), action: { indentAction: None, appendText: '  ' } },
    { beforeText: new RegExp(`^\\s*${KEY}${OPEN}$`), action: { indentAction: Indent } },
    { beforeText: /^\s*-\s+[|>][-+0-9]*\s*$/, action: { indentAction: Indent } },
  ],
};

/** The part of VS Code's paste interface that is used; it is newer than the oldest VS Code that the extension runs in. */
interface PasteInterface {
  DocumentPasteEdit: new (insertText: string, title: string, kind: unknown) => object;
  DocumentDropOrPasteEditKind: { Text: { append(...parts: string[]): unknown } };
  languages: {
    registerDocumentPasteEditProvider(selector: vscode.DocumentSelector, provider: object, metadata: object): vscode.Disposable;
  };
}

export function indentDefinitions(session: Session): vscode.Disposable {
  let rules: vscode.Disposable | undefined;
  const update = () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId === 'yaml' && session.concerns(document)) {
      rules ??= vscode.languages.setLanguageConfiguration('yaml', RULES);
    } else {
      rules?.dispose();
      rules = undefined;
    }
  };
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(update),
    session.onDidChange(update),
    indentPastes(session),
    new vscode.Disposable(() => {
      rules?.dispose();
    }),
  );
}

function indentPastes(session: Session): vscode.Disposable {
  const api = vscode as unknown as PasteInterface;
  if (!('registerDocumentPasteEditProvider' in vscode.languages)) {
    return new vscode.Disposable(() => undefined);
  }
  const kind = api.DocumentDropOrPasteEditKind.Text.append('kro', 'indented');
  const provider = {
    async provideDocumentPasteEdits(document: vscode.TextDocument, [range]: readonly vscode.Range[], transfer: vscode.DataTransfer) {
      const text = await transfer.get('text/plain')?.asString();
      if (text === undefined || range === undefined || !session.concerns(document)) {
        return undefined;
      }
      const before = document.getText(new vscode.Range(new vscode.Position(0, 0), range.start));
      const result = indented(text, before);
      return result === undefined ? undefined : [new api.DocumentPasteEdit(result, 'Insert with indentation', kind)];
    },
  };
  return api.languages.registerDocumentPasteEditProvider({ language: 'yaml' }, provider, {
    providedPasteEditKinds: [kind],
    pasteMimeTypes: ['text/plain'],
  });
}
