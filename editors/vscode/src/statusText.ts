/** What the status says in words. */
import type { Diagnostic } from "vscode";
import type { ServerStatus } from "./client";
import type { Launch } from "./server/places";

const ERROR = 0; // vscode.DiagnosticSeverity.Error

/** The number of errors that are ours. */
export function errorsIn(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((each) => each.source === "kro" && (each.severity as number) === ERROR).length;
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
