/** What the status says in words. */
import type { Diagnostic } from 'vscode';
import type { ServerStatus } from './client';
import type { Launch } from './server/places';

const ERROR = 0; // vscode.DiagnosticSeverity.Error

/** The number of errors that are ours. */
export function errorsIn(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((each) => each.source === 'kro' && (each.severity as number) === ERROR).length;
}

/** How many errors all files have, open or not; nothing where there are none. */
export function inWorkspace(all: readonly (readonly [unknown, readonly Diagnostic[]])[]): string | undefined {
  const found = all.map(([, diagnostics]) => errorsIn(diagnostics)).filter((errors) => errors > 0);
  const sum = found.reduce((one, other) => one + other, 0);
  return sum > 0 ? `${count(sum, 'error')} in ${count(found.length, 'file')} of the workspace` : undefined;
}

/** The entry of the status menu about the server. Without a server it comes first. */
export interface ServerEntry {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly command: string;
  readonly isFirst: boolean;
}

/** What can be done about the server in a state; `failure` is why it could not be installed, `found` where it is. */
export function serverEntry(state: string, failure: string | undefined, found: string | undefined): ServerEntry {
  if (state === 'missing') {
    return {
      label: `$(cloud-download) ${failure === undefined ? 'Install' : 'Try again to install'} the language server`,
      ...(failure === undefined ? {} : { detail: `The last try failed: ${failure}` }),
      command: 'kro.installServer',
      isFirst: true,
    };
  }
  return {
    label: '$(debug-restart) Restart the language server',
    description: [state, ...(found === undefined ? [] : [found])].join(', '),
    command: 'kro.restartServer',
    isFirst: state === 'failed',
  };
}

/** What there is to say of a document: of a definition kro's verdict, in the words of the code lens and of the preview. */
export function verdictOn(errors: number, isDefinition: boolean): string {
  if (errors === 0) {
    return isDefinition ? 'kro accepts this' : 'No errors';
  }
  return isDefinition ? `kro refuses this: ${count(errors, 'error')}` : count(errors, 'error');
}

/** What the status bar says beside the icon. */
export function itemText(errors: number, isDefinition: boolean, version: string | undefined): string {
  const name = version === undefined ? 'kro' : `kro ${version}`;
  if (errors === 0) {
    return name;
  }
  return isDefinition ? verdictOn(errors, true) : `${name} ${errors.toString()}`;
}

/** Where the known kinds come from, a line each. */
export function describeKinds(status: ServerStatus): string[] {
  const { kubernetes, crdKinds, instanceKinds } = status;
  return [
    kubernetes === null ? "Kinds of your cluster's OpenAPI documents" : `Kinds of Kubernetes ${kubernetes}`,
    ...(crdKinds > 0 ? [`${count(crdKinds, 'kind')} of CustomResourceDefinitions`] : []),
    ...(instanceKinds.length > 0 ? [`${count(instanceKinds.length, 'kind')} of ResourceGraphDefinitions`] : []),
  ];
}

/** Where a server was found. */
export function originOf({ origin, command }: Launch): string {
  const words = {
    setting: `from the setting kro.server.path (${command})`,
    environment: `from the workspace's environment (${command})`,
    path: `from the PATH (${command})`,
    extension: "from the extension's own environment",
  };
  return words[origin];
}

function count(number: number, noun: string): string {
  return `${number.toString()} ${noun}${number === 1 ? '' : 's'}`;
}

/** A setting that chooses a version: among all there are, or freely, with examples. */
export interface VersionSetting {
  enum?: string[];
  examples?: string[];
}

/** The values to offer for a version, first the empty one, which is the newest. */
export function versionChoices({ enum: all, examples }: VersionSetting): string[] {
  return all ?? (examples ? ['', ...examples] : []);
}
