/** Where a view shows a document: in the group of editors that was used last, and never over the view itself. */
import * as vscode from 'vscode';

export class UsedGroups implements vscode.Disposable {
  /** The groups that had the focus, the last one first. */
  private used: readonly vscode.TabGroup[] = [];
  private readonly subscription: vscode.Disposable;

  constructor() {
    // Not the active text editor: of two editors with one document, VS Code may report the other one.
    const { tabGroups } = vscode.window;
    this.used = [tabGroups.activeTabGroup];
    this.subscription = tabGroups.onDidChangeTabGroups(({ closed }) => {
      const active = tabGroups.activeTabGroup;
      this.used = [active, ...this.used.filter((each) => each !== active && !closed.includes(each))];
    });
  }

  /** The column of the group that shows a document. Where none does, of one that has it in a tab, or of one beside the view. */
  columnOf(uri: string, view: vscode.WebviewPanel): vscode.ViewColumn {
    const groups = [...this.used, ...vscode.window.tabGroups.all];
    // A tab in the view's own group lies under the view, and would cover it.
    const beside = groups.filter(({ viewColumn }) => viewColumn !== view.viewColumn);
    const wanted =
      groups.find(({ activeTab }) => isOf(activeTab, uri)) ?? beside.find(({ tabs }) => tabs.some((tab) => isOf(tab, uri))) ?? beside[0];
    return wanted?.viewColumn ?? vscode.ViewColumn.Beside;
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

function isOf(tab: vscode.Tab | undefined, uri: string): boolean {
  return tab?.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri;
}
