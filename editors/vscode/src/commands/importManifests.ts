/** Adds the objects of manifests that the user chooses to the definition at the cursor. */
import * as vscode from 'vscode';
import type { Session } from '../session';
import { placeOf } from './place';

interface Imported {
  readonly ids: readonly string[];
}

export async function importManifests(session: Session, argument?: unknown): Promise<void> {
  const place = await placeOf(session, argument);
  const chosen = place && (await choose(vscode.Uri.parse(place.uri)));
  if (!place || !chosen) {
    return;
  }
  const texts = await Promise.all(chosen.map(async (uri) => new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))));
  const found = await session.execute('kro.importManifests', { ...place, text: texts.join('\n---\n') });
  const ids = (found as Imported | undefined)?.ids;
  if (ids) {
    void vscode.window.setStatusBarMessage(`Imported as ${ids.join(', ')}`, 5000);
  }
}

function choose(definition: vscode.Uri): Thenable<vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    title: 'Manifests whose objects become resources',
    openLabel: 'Import',
    canSelectMany: true,
    defaultUri: vscode.Uri.joinPath(definition, '..'),
    filters: { YAML: ['yaml', 'yml', 'json'] },
  });
}
