/** Chooses the instance that previews, hover and values use. */
import * as vscode from 'vscode';
import type { Session } from '../session';
import { definitionsIn, placeOf } from './place';

export async function chooseInstance(session: Session): Promise<void> {
  const place = await placeOf(session, undefined);
  if (!place) {
    return;
  }
  const definition = (await definitionsIn(session, place.uri))?.[place.definition];
  const items = [
    ...(definition?.instances ?? []).map(({ uri }) => ({ label: vscode.workspace.asRelativePath(vscode.Uri.parse(uri)), uri })),
    { label: '$(wand) Whichever kro-ls finds or makes up', uri: undefined },
  ];
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: `The instance of ${definition?.kind ?? 'this kind'}` });
  if (chosen) {
    await session.chooseInstance({ ...place, ...(chosen.uri !== undefined && { instance: chosen.uri }) });
  }
}
