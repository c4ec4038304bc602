/** Why an instance that kubectl printed is not ready: the server makes the text and has it shown beside the editor. */
import * as vscode from 'vscode';
import type { Session } from '../session';

/** Asks about the instance that a code lens named, else about the one in the active editor that is not ready. */
export function showWhy(session: Session, argument: unknown): unknown {
  const named = argument as { uri?: unknown } | undefined;
  const uri = typeof named?.uri === 'string' ? named : { uri: vscode.window.activeTextEditor?.document.uri.toString() };
  if (uri.uri === undefined) {
    void vscode.window.showInformationMessage("Open an instance first, as 'kubectl get -o yaml' prints it.");
    return undefined;
  }
  return session.execute('kro.why', uri);
}
