/** Asks for consent, shows progress, and says what to do where the server cannot be installed. */
import * as vscode from 'vscode';
import { type Environment, InstallError } from './server/environment';
import { expand, type Machine } from './server/places';
import { findPython, withoutPython } from './server/python';

const RETRY = 'Retry';
const DOWNLOADS = 'https://www.python.org/downloads/';

export class Installer {
  constructor(
    readonly environment: Environment,
    private readonly log: vscode.LogOutputChannel,
    private readonly machine: Machine,
  ) {}

  /** Why the last try to install did not end with a server. */
  failure: string | undefined;

  /** Offers to install; whether the server is there then. Who said yes to an earlier version is not asked again. */
  async offer(): Promise<boolean> {
    if (this.environment.existedBefore) {
      return this.install();
    }
    const install = 'Install';
    const choose = 'Choose a kro-ls...';
    const answer = await vscode.window.showInformationMessage(
      'kro needs its language server, which was not found. The extension can install it into a Python environment of ' +
        'its own; pip downloads the packages that it needs.',
      install,
      choose,
    );
    if (answer === choose) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'kro.server.path');
    }
    return answer === install && this.install();
  }

  /** Installs, and returns whether that succeeded. If not, a message says what to do. */
  async install(): Promise<boolean> {
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'kro', cancellable: true },
      async (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => {
          stop.abort();
        });
        this.failure = undefined;
        try {
          return await this.make((message) => {
            progress.report({ message });
          }, stop.signal);
        } catch (error) {
          const text = error instanceof InstallError ? error.message : String(error);
          this.log.error(text);
          if (!token.isCancellationRequested) {
            this.failure = text;
            void this.report(text);
          }
          return false;
        }
      },
    );
  }

  private async make(report: (message: string) => void, signal: AbortSignal): Promise<boolean> {
    report('looking for Python');
    const setting = vscode.workspace.getConfiguration('kro.server').get('python', '').trim();
    const named = setting === '' ? '' : expand(setting, undefined, this.machine);
    this.environment.prepare();
    const found = await findPython(named, this.machine, this.environment.storage);
    if (!found.python) {
      void this.reportNoPython(named, withoutPython(named, found));
      return false;
    }
    await this.environment.make(
      found.python,
      report,
      (line) => {
        this.log.info(line);
      },
      signal,
    );
    return true;
  }

  private async reportNoPython(named: string, text: string): Promise<void> {
    const download = 'Download Python';
    const choose = 'Choose a Python...';
    this.log.error(text);
    this.failure = text;
    const others = named === '' ? [download, choose] : [choose];
    const answer = await vscode.window.showErrorMessage(text, RETRY, ...others);
    await retry(answer);
    if (answer === download) {
      await vscode.env.openExternal(vscode.Uri.parse(DOWNLOADS));
    } else if (answer === choose) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'kro.server.python');
    }
  }

  private async report(text: string): Promise<void> {
    const show = 'Show the Log';
    const answer = await vscode.window.showErrorMessage(text, RETRY, show);
    await retry(answer);
    if (answer === show) {
      this.log.show();
    }
  }
}

async function retry(answer: string | undefined): Promise<void> {
  if (answer === RETRY) {
    await vscode.commands.executeCommand('kro.installServer');
  }
}
