/** Previews, graphs, CRDs and sample instances: the server makes the text and has it shown beside the editor. */
import * as vscode from 'vscode';
import type { Session } from '../session';
import { placeOf } from './place';

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'kro.graph': ['mermaid', 'dot', 'json'],
};

export async function showText(session: Session, command: string, argument: unknown): Promise<unknown> {
  const place = await placeOf(session, argument);
  if (!place) {
    return undefined;
  }
  const formats = argument === undefined ? FORMATS[command] : undefined;
  const format = formats && (await vscode.window.showQuickPick(formats, { placeHolder: 'As' }));
  return formats && format === undefined ? undefined : session.execute(command, { ...place, ...(format && { format }) });
}
