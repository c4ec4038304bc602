/** Which definition a command is about. */
import * as vscode from 'vscode';
import { definitionAt, holdsDefinition } from '../relevance';

/** A definition: its document, its place in it, the resource if the command is about one, and the instance to preview. */
export interface Place {
  readonly uri: string;
  readonly definition: number;
  readonly resource?: string;
  /** The URI of a document with an instance, and which of those in it. */
  readonly instance?: string;
  readonly item?: number;
}

/** The place that a code lens or a caller named, else the definition at the cursor. Tells the user where there is none. */
export function placeOf(argument: unknown): Place | undefined {
  const named = argument as Partial<Place> | undefined;
  if (typeof named?.uri === 'string') {
    return { ...named, uri: named.uri, definition: named.definition ?? 0 };
  }
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText() ?? '';
  if (!editor || !holdsDefinition(text)) {
    void vscode.window.showInformationMessage('Open a ResourceGraphDefinition first.');
    return undefined;
  }
  const { document, selection } = editor;
  return { uri: document.uri.toString(), definition: definitionAt(text, document.offsetAt(selection.active)) };
}
