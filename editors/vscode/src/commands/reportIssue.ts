/** Collects what an issue needs, for the user to read before anything of it is sent anywhere. */
import * as vscode from 'vscode';
import type { Session } from '../session';
import { originOf } from '../statusText';

export async function reportIssue(session: Session): Promise<void> {
  const { version, bugs } = session.context.extension.packageJSON as { version: string; bugs?: { url?: string } };
  const { status, launch, state } = session;
  const settings = vscode.workspace.getConfiguration('kro');
  const content = [
    '## What happened, and what did you expect?',
    '',
    '## A definition that shows it',
    '',
    '```yaml',
    '```',
    '',
    '## Versions',
    '',
    `- extension ${version}, server ${status?.serverVersion ?? 'unknown'} (${state})`,
    `- ${launch ? originOf(launch) : 'no server was found'}`,
    `- kro ${status?.kroVersion ?? 'unknown'}, Kubernetes ${status?.kubernetes ?? 'unknown'}`,
    `- ${vscode.env.appName} ${vscode.version}, ${process.platform} ${process.arch}, remote: ${vscode.env.remoteName ?? 'no'}`,
    '',
    '## Settings',
    '',
    '```json',
    JSON.stringify(settings, undefined, 2),
    '```',
    '',
  ].join('\n');
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
  if (bugs?.url !== undefined) {
    await vscode.env.openExternal(vscode.Uri.parse(bugs.url));
  }
}
