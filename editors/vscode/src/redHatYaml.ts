/**
 * Lives beside Red Hat's YAML extension: it gets a schema for definitions that allows everything, so that its guesses and
 * ours do not both show, and an error of YAML's syntax that both find is shown once.
 */
import * as vscode from 'vscode';
import type { HandleDiagnosticsSignature } from 'vscode-languageclient/node';
import { holdsDefinition } from './relevance';

const RED_HAT = 'redhat.vscode-yaml';
const THEIR_SOURCE = 'YAML';
const OUR_CODE = 'yaml-syntax';
const SCHEMA = 'kro-schema://definition/resource-graph-definition.json';

interface RedHatYaml {
  registerContributor(
    schema: string,
    requestSchema: (uri: string) => string | undefined,
    requestSchemaContent: (uri: string) => string | undefined,
  ): boolean;
}

/** Registers our definitions with Red Hat's extension, if there is one. */
export function avoidRedHatYaml(): vscode.Disposable {
  let registered = false;
  const register = async () => {
    const extension = vscode.extensions.getExtension<RedHatYaml | undefined>(RED_HAT);
    if (!extension || registered) {
      return;
    }
    registered = true;
    const api = await extension.activate();
    api?.registerContributor('kro-schema', schemaFor, contentOf);
  };
  void register();
  return vscode.Disposable.from(
    vscode.extensions.onDidChange(() => void register()),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      uris.forEach(refresh);
    }),
  );
}

function schemaFor(uri: string): string | undefined {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri || each.fileName === uri);
  return document && holdsDefinition(document.getText()) ? SCHEMA : undefined;
}

function contentOf(uri: string): string | undefined {
  return uri === SCHEMA ? '{}' : undefined;
}

/** The diagnostics that the server sent last, for documents where one of them may be a double. */
const sent = new Map<string, { diagnostics: vscode.Diagnostic[]; shown: number; next: HandleDiagnosticsSignature }>();

/** Passes diagnostics on, without errors of the syntax on lines where Red Hat's extension shows one. */
export function withoutDoubles(uri: vscode.Uri, diagnostics: vscode.Diagnostic[], next: HandleDiagnosticsSignature) {
  const shown = withoutThose(diagnostics, theirLines(uri));
  if (diagnostics.some(isSyntax)) {
    sent.set(uri.toString(), { diagnostics, shown: shown.length, next });
  } else {
    sent.delete(uri.toString());
  }
  next(uri, shown);
}

/** Looks again, after Red Hat's extension found or lost an error. */
function refresh(uri: vscode.Uri): void {
  const last = sent.get(uri.toString());
  if (last) {
    const shown = withoutThose(last.diagnostics, theirLines(uri));
    if (shown.length !== last.shown) {
      last.shown = shown.length;
      last.next(uri, shown);
    }
  }
}

function theirLines(uri: vscode.Uri): ReadonlySet<number> {
  const theirs = vscode.languages.getDiagnostics(uri).filter((each) => each.source === THEIR_SOURCE);
  return new Set(theirs.map((each) => each.range.start.line));
}

function withoutThose(diagnostics: vscode.Diagnostic[], lines: ReadonlySet<number>): vscode.Diagnostic[] {
  return diagnostics.filter((each) => !(isSyntax(each) && lines.has(each.range.start.line)));
}

function isSyntax({ code }: vscode.Diagnostic): boolean {
  return (typeof code === 'object' ? code.value : code) === OUR_CODE;
}
