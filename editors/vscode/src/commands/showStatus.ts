/** What the status item opens: what kro-ls goes by, each entry with what changes it. */
import * as vscode from 'vscode';
import type { Session } from '../session';
import { describeKinds, errorsIn, inWorkspace, originOf, serverEntry, verdictOn, versionChoices, type VersionSetting } from '../statusText';

interface Entry extends vscode.QuickPickItem {
  run?: () => unknown;
}

/** Settings that choose a version, with the words for them; those that the server knows are offered. */
const VERSIONS = { 'kro.version': 'kro', 'kro.kubernetesVersion': 'Kubernetes' };

export async function showStatus(session: Session, document: vscode.TextDocument | undefined): Promise<void> {
  const chosen = await vscode.window.showQuickPick(entries(session, document), {
    title: 'kro',
    placeHolder: 'Choose what to change',
  });
  await chosen?.run?.();
}

/** `document` is the one whose errors are counted. */
function entries(session: Session, document: vscode.TextDocument | undefined): Entry[] {
  const { launch, state, status } = session;
  const command = (name: string) => () => vscode.commands.executeCommand(name);
  const errors = document ? errorsIn(vscode.languages.getDiagnostics(document.uri)) : 0;
  const { isFirst, ...entry } = serverEntry(state, session.installer.failure, launch && originOf(launch));
  const server: Entry = { ...entry, run: command(entry.command) };
  return [
    ...(isFirst ? [server] : []),
    ...(state === 'running' ? [problems(errors)] : []),
    ...versions(session),
    {
      label: '$(symbol-class) Kinds',
      description: status ? describeKinds(status).join(', ') : 'not known yet',
      detail: 'Add CustomResourceDefinitions from outside of the workspace',
      run: addKinds,
    },
    ...(isFirst ? [] : [server]),
    { label: '$(output) Show the log', run: command('kro.showLog') },
    { label: '$(settings-gear) All settings', run: () => openSettings('@ext:kro-ls.kro-ls') },
    { label: '$(bug) Report an issue', run: command('kro.reportIssue') },
  ];
}

function problems(errors: number): Entry {
  return {
    label: errors === 0 ? '$(pass) No errors in this file' : `$(error) ${verdictOn(errors, false)} in this file`,
    description: inWorkspace(vscode.languages.getDiagnostics()) ?? 'show the problems',
    run: () => vscode.commands.executeCommand('workbench.actions.view.problems'),
  };
}

function versions(session: Session): Entry[] {
  return Object.entries(VERSIONS).flatMap(([setting, word]) => {
    const choices = choicesOf(session, setting);
    const used = word === 'kro' ? session.status?.kroVersion : session.status?.kubernetes;
    return choices.length === 0
      ? []
      : [
          {
            label: `$(versions) ${word} ${used ?? ''}`,
            description: 'change the version',
            run: () => choose(setting, word, choices),
          },
        ];
  });
}

function choicesOf(session: Session, setting: string): string[] {
  const manifest = session.context.extension.packageJSON as {
    contributes: { configuration: { properties: Record<string, VersionSetting> }[] };
  };
  return manifest.contributes.configuration.flatMap(({ properties }) => versionChoices(properties[setting] ?? {}));
}

async function choose(setting: string, word: string, choices: string[]): Promise<void> {
  const items = choices.map((value) => ({ label: value === '' ? 'The newest' : value, value }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: `The version of ${word} in your cluster` });
  if (chosen) {
    await vscode.workspace.getConfiguration().update(setting, chosen.value, target());
  }
}

async function addKinds(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: true,
    canSelectFolders: true,
    canSelectMany: true,
    openLabel: 'Use these kinds',
  });
  if (chosen) {
    const configuration = vscode.workspace.getConfiguration('kro');
    const known = configuration.get<string[]>('crds', []);
    await configuration.update('crds', [...new Set([...known, ...chosen.map((uri) => uri.fsPath)])], target());
  }
}

/** Settings about a project belong to its workspace, if there is one. */
function target(): vscode.ConfigurationTarget {
  return vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
}

function openSettings(query: string): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', query);
}
