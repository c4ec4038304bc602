/** Which definition a command is about. */
import type { TextDefinition } from 'kro-views/src/wire';
import * as vscode from 'vscode';
import { holdsDefinition } from '../relevance';
import type { Session } from '../session';

/** A definition: its document, its place in it, the resource if the command is about one, and the instance to preview. */
export interface Place {
  readonly uri: string;
  readonly definition: number;
  readonly resource?: string;
  /** The URI of a document with an instance, and which of those in it. */
  readonly instance?: string;
  readonly item?: number;
}

/** The place that a code lens or a caller named, else the definition at the cursor. Shows the user a message where there is none. */
export async function placeOf(session: Session, argument: unknown): Promise<Place | undefined> {
  const named = argument as Partial<Place> | undefined;
  if (typeof named?.uri === 'string') {
    return { ...named, uri: named.uri, definition: named.definition ?? 0 };
  }
  const editor = vscode.window.activeTextEditor;
  if (!editor || !holdsDefinition(editor.document.getText())) {
    void vscode.window.showInformationMessage('Open a ResourceGraphDefinition first.');
    return undefined;
  }
  const { line } = editor.selection.active;
  const uri = editor.document.uri.toString();
  const definitions = await definitionsIn(session, uri);
  const before = definitions?.filter(({ range }) => range.start.line <= line) ?? [];
  return definitions && { uri, definition: Math.max(before.length - 1, 0) };
}

/** The definitions in a document; none if an older server cannot list them, undefined without a server. */
export async function definitionsIn(session: Session, uri: string): Promise<readonly TextDefinition[] | undefined> {
  const client = await session.running();
  return client?.sendRequest<TextDefinition[]>('kro-ls/definitions', { uri }).catch(() => []);
}
