/** The entry in the status bar: what kro-ls goes by and how many errors the document has; a click changes it. */
import * as vscode from 'vscode';
import { holdsDefinition } from './relevance';
import { tick } from './walkthrough';
import type { Session } from './session';
import type { Views } from './webviews/views';
import { describeKinds, errorsIn, inWorkspace, itemText, originOf, verdictOn } from './statusText';

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('kro.status', vscode.StatusBarAlignment.Right, 100);
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly session: Session,
    private readonly views: Views,
  ) {
    this.item.name = 'kro';
    this.item.command = 'kro.showStatus';
    const show = () => {
      this.show();
    };
    this.subscriptions = [
      session.onDidChange(show),
      views.onDidChangeActive(show),
      vscode.window.onDidChangeActiveTextEditor(show),
      vscode.languages.onDidChangeDiagnostics(show),
    ];
    show();
  }

  dispose(): void {
    this.item.dispose();
    this.subscriptions.forEach((each) => {
      each.dispose();
    });
  }

  private show(): void {
    const { document } = this.views;
    const ours = document !== undefined && this.session.concerns(document);
    const isEdited = document === vscode.window.activeTextEditor?.document;
    const definition = ours && holdsDefinition(document.getText());
    void vscode.commands.executeCommand('setContext', 'kro.definition', definition && isEdited);
    if (definition) {
      tick('hasDefinition');
    }
    const broken = this.session.state === 'missing' || this.session.state === 'failed';
    if (!ours) {
      this.item.hide();
      return;
    }
    const errors = errorsIn(vscode.languages.getDiagnostics(document.uri));
    if (errors > 0) {
      tick('hasShownErrors');
    }
    this.item.text = `${this.icon(errors)} ${itemText(errors, definition, this.session.status?.kroVersion)}`;
    this.item.accessibilityInformation = { label: `kro: ${verdictOn(errors, definition)}` };
    this.item.tooltip = this.tooltip(verdictOn(errors, definition));
    this.item.backgroundColor = broken ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
  }

  private icon(errors: number): string {
    const icons = { stopped: 'circle-slash', starting: 'loading~spin', missing: 'warning', failed: 'warning' };
    const { state } = this.session;
    return `$(${state === 'running' ? (errors > 0 ? 'error' : 'pass') : icons[state]})`;
  }

  private tooltip(verdict: string): vscode.MarkdownString {
    const { state, status, launch } = this.session;
    const all = inWorkspace(vscode.languages.getDiagnostics());
    const lines = [
      `${verdict}.`,
      ...(all === undefined ? [] : [`${all}.`]),
      ...(status ? describeKinds(status) : []),
      launch ? `Server ${status?.serverVersion ?? ''} ${originOf(launch)}` : `The server is ${state}.`,
    ];
    const text = state === 'running' ? lines : [`The server is ${state}. Click to see what can be done.`];
    return new vscode.MarkdownString(text.join('\n\n'));
  }
}
