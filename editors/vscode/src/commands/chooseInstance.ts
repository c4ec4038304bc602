/** Chooses the instance that previews, hover and values use. */
import * as vscode from 'vscode';
import { declaredKinds } from '../relevance';
import type { Session } from '../session';
import { placeOf } from './place';

const MOST_FILES = 2000;
const LARGEST_FILE = 256 * 1024;

export async function chooseInstance(session: Session): Promise<void> {
  const place = placeOf(undefined);
  if (!place) {
    return;
  }
  const definition = vscode.workspace.textDocuments.find((document) => document.uri.toString() === place.uri);
  const kind = declaredKinds(definition?.getText() ?? '')[place.definition];
  const found = kind === undefined ? [] : await filesWith(kind);
  const items = [
    ...found.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri: uri.toString() })),
    { label: '$(wand) Whichever kro-ls finds or makes up', uri: undefined },
  ];
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: `The instance of ${kind ?? 'this kind'}` });
  if (chosen) {
    await session.chooseInstance({ ...place, ...(chosen.uri !== undefined && { instance: chosen.uri }) });
  }
}

async function filesWith(kind: string): Promise<vscode.Uri[]> {
  const wanted = new RegExp(`^kind:[ ]*["']?${kind}\\b`, 'm');
  const files = await vscode.workspace.findFiles('**/*.{yaml,yml}', '**/node_modules/**', MOST_FILES);
  const holds = await Promise.all(
    files.map(async (uri) => {
      const { size } = await vscode.workspace.fs.stat(uri);
      return size <= LARGEST_FILE && wanted.test(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    }),
  );
  return files.filter((_, index) => holds[index]).sort((a, b) => a.path.localeCompare(b.path));
}
