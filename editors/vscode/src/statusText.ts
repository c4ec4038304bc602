/** What the status says in words. */
import type { Diagnostic } from "vscode";
import type { ServerStatus } from "./client";
import type { Launch } from "./server/places";

const ERROR = 0; // vscode.DiagnosticSeverity.Error

/** The number of errors that are ours. */
export function errorsIn(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((each) => each.source === "kro" && (each.severity as number) === ERROR).length;
}

/** What there is to say of a document: of a definition kro's verdict, in the words of the code lens and of the preview. */
export function verdictOn(errors: number, isDefinition: boolean): string {
  if (errors === 0) {
    return isDefinition ? "kro accepts this" : "No errors";
  }
  return isDefinition ? `kro refuses this: ${count(errors, "error")}` : count(errors, "error");
}

/** What the status bar says beside the icon. */
export function itemText(errors: number, isDefinition: boolean, version: string | undefined): string {
  const name = version === undefined ? "kro" : `kro ${version}`;
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
    ...(crdKinds > 0 ? [`${count(crdKinds, "kind")} of CustomResourceDefinitions`] : []),
    ...(instanceKinds.length > 0 ? [`${count(instanceKinds.length, "kind")} of ResourceGraphDefinitions`] : []),
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
  return `${number.toString()} ${noun}${number === 1 ? "" : "s"}`;
}
