/** Updates what failed tests expect, by the action that the server has for a test; each is an edit that can be undone. */
import * as vscode from 'vscode';
import type { Session } from '../session';
import { testsOf } from './chosen';

const KIND = vscode.CodeActionKind.QuickFix.append('updateTest');
const SECONDS_TO_KNOW = 10;

/** The argument is an item of the Testing view, or the message of a failure. */
export async function updateTests(session: Session, argument: unknown): Promise<void> {
  const tests = testsOf<vscode.TestItem>(argument);
  const uri = tests[0]?.uri;
  if (!uri || !(await session.running())) {
    return;
  }
  const editor = await vscode.window.showTextDocument(uri);
  const { document } = editor;
  if (!(await isKnown(session, uri.toString()))) {
    void vscode.window.showErrorMessage('The language server does not answer for this file; try again.');
    return;
  }
  let updated = 0;
  for (const test of tests) {
    // An earlier edit moves the tests below it, and their items with them.
    const action = test.range && (await actionFor(uri, document.lineAt(test.range.start.line).range));
    if (action?.edit && (await vscode.workspace.applyEdit(action.edit))) {
      updated += 1;
      editor.revealRange(test.range ?? editor.selection);
    }
  }
  if (updated === 0) {
    void vscode.window.showInformationMessage('Nothing to update: no expectation of this test can be changed so that it is met.');
  }
}

async function actionFor(uri: vscode.Uri, place: vscode.Range): Promise<vscode.CodeAction | undefined> {
  const found = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, place, KIND.value);
  return found.find(({ kind }) => kind?.value === KIND.value);
}

/** Whether the server comes to know a document that was just opened. */
async function isKnown(session: Session, uri: string): Promise<boolean> {
  if (session.follows(uri)) {
    return true;
  }
  return new Promise((resolve) => {
    const finish = (known: boolean) => {
      clearTimeout(patience);
      waiting.dispose();
      resolve(known);
    };
    const waiting = session.onDidFollow((followed) => {
      if (followed === uri) {
        finish(true);
      }
    });
    const patience = setTimeout(() => {
      finish(false);
    }, SECONDS_TO_KNOW * 1000);
  });
}
