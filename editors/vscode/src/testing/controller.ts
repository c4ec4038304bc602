/** The test explorer: the tests of `kro-ls test`, run, with failures at their lines. */
import { relative } from 'node:path';
import type { PlacedTest } from 'kro-views/src/wire';
import * as vscode from 'vscode';
import { holdsTests } from '../relevance';
import { run } from '../server/run';
import type { Session } from '../session';
import { tick } from '../walkthrough';
import { placed, readReport, type TestResult } from './report';
import { aboutUnsaved, unsavedFiles } from './unsaved';

const FILES = '**/*.test.{yaml,yml}';
const IGNORED = '**/node_modules/**';

export function registerTests(session: Session): vscode.Disposable {
  const controller = vscode.tests.createTestController('kro', 'kro');
  const running = new Set<Promise<void>>();
  const listing = new Listing(session, controller);
  const refresh = async () => {
    const files = await vscode.workspace.findFiles(FILES, IGNORED);
    const known = new Set(files.map((uri) => uri.toString()));
    forget(controller, running, (item) => !known.has(item.id));
    await Promise.all(files.map((uri) => listing.read(uri)));
  };
  const profile = (label: string, update: boolean, isDefault: boolean) =>
    controller.createRunProfile(
      label,
      vscode.TestRunProfileKind.Run,
      (request, token) => {
        const run = new Run(session, controller, request, update, token).all();
        running.add(run);
        return run.finally(() => running.delete(run));
      },
      isDefault,
    );
  profile('Run', false, true);
  profile('Run and Update the Whole File', true, false);
  controller.refreshHandler = refresh;
  // Called when the view is first opened: no server is started for a workspace just because it has tests.
  controller.resolveHandler = async (item) => {
    if (!item) {
      listing.isWanted = true;
      await refresh();
    }
  };
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  const folders = vscode.workspace.createFileSystemWatcher('**/*', true, true, false);
  return vscode.Disposable.from(
    controller,
    watcher,
    watcher.onDidCreate((uri) => listing.read(uri)),
    watcher.onDidChange((uri) => listing.read(uri)),
    watcher.onDidDelete((uri) => {
      forget(controller, running, (item) => item.id === uri.toString());
    }),
    // A deleted folder is reported without its files.
    folders,
    folders.onDidDelete((uri) => {
      forget(controller, running, (item) => item.id.startsWith(`${uri.toString()}/`));
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (controller.items.get(document.uri.toString())) {
        void listing.take(document.uri, document.getText());
      }
    }),
    onceRunning(session, refresh),
  );
}

/** Refreshes when a server runs: only a server can read the files. */
function onceRunning(session: Session, refresh: () => Promise<void>): vscode.Disposable {
  let wasRunning = session.state === 'running';
  if (wasRunning) {
    void refresh();
  }
  return session.onDidChange(() => {
    const isRunning = session.state === 'running';
    if (isRunning && !wasRunning) {
      void refresh();
    }
    wasRunning = isRunning;
  });
}

/** Removes files, and their results: the view's badge counts what failed in the last run, so no run may end later. */
function forget(controller: vscode.TestController, running: ReadonlySet<Promise<void>>, isGone: (item: vscode.TestItem) => boolean): void {
  const gone = [...controller.items].map(([, item]) => item).filter(isGone);
  gone.forEach((item) => {
    controller.items.delete(item.id);
  });
  if (gone.length > 0) {
    void Promise.allSettled(running).then(() => {
      controller.invalidateTestResults();
      controller.createTestRun(new vscode.TestRunRequest([]), undefined, false).end();
    });
  }
}

/** The tests in the files, which the server finds: it is the one that runs them. */
class Listing {
  /** How often each file was looked at: an answer about an older text comes to nothing. */
  private readonly looks = new Map<string, number>();
  /** Whether the view has been opened: only then is a server started for it. */
  isWanted = false;

  constructor(
    private readonly session: Session,
    private readonly controller: vscode.TestController,
  ) {}

  async read(uri: vscode.Uri): Promise<void> {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    await this.take(uri, open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  }

  async take(uri: vscode.Uri, text: string): Promise<void> {
    const file = uri.toString();
    const look = (this.looks.get(file) ?? 0) + 1;
    this.looks.set(file, look);
    const tests = await this.testsIn(uri, text);
    if (tests && this.looks.get(file) === look) {
      this.show(uri, tests);
    }
  }

  /** Undefined where there is no server, or none that answers: what is shown stays. */
  private async testsIn(uri: vscode.Uri, text: string): Promise<readonly PlacedTest[] | undefined> {
    if (!holdsTests(uri.path, text)) {
      return []; // no server is started for the tests of another tool
    }
    const client = this.isWanted || this.session.state === 'running' ? await this.session.running() : undefined;
    return client?.sendRequest<PlacedTest[]>('kro-ls/tests', { text }).catch(() => undefined);
  }

  private show(uri: vscode.Uri, tests: readonly PlacedTest[]): void {
    const { items } = this.controller;
    if (tests.length === 0) {
      items.delete(uri.toString());
      return;
    }
    const file = items.get(uri.toString()) ?? this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    const children = tests.map(({ name, range: { start, end } }, index) => {
      // A running test stays the same item, also when its file is saved meanwhile.
      const id = `${index.toString()} ${name}`;
      const item = file.children.get(id) ?? this.controller.createTestItem(id, name, uri);
      item.range = new vscode.Range(start.line, 0, end.line, Number.MAX_SAFE_INTEGER);
      item.sortText = index.toString().padStart(6, '0');
      return item;
    });
    file.children.replace(children);
    items.add(file);
  }
}

/** One run. A file is run as a whole, by one process; what was not asked for is left out of the result. */
class Run {
  private readonly testRun: vscode.TestRun;

  constructor(
    private readonly session: Session,
    private readonly controller: vscode.TestController,
    private readonly request: vscode.TestRunRequest,
    private readonly update: boolean,
    private readonly token: vscode.CancellationToken,
  ) {
    this.testRun = controller.createTestRun(request);
  }

  async all(): Promise<void> {
    const wanted = this.wanted();
    try {
      const launch = await this.session.commandLine();
      for (const [file, tests] of wanted) {
        if (launch && !this.token.isCancellationRequested) {
          tests.forEach((test) => {
            this.testRun.started(test);
          });
          await this.runFile(launch.command, [...launch.args, 'test', '--format', 'json'], file, tests);
        }
      }
    } finally {
      this.testRun.end();
      tick('hasRunTests');
    }
  }

  private wanted(): Map<vscode.TestItem, vscode.TestItem[]> {
    const files = new Map<vscode.TestItem, vscode.TestItem[]>();
    const add = (item: vscode.TestItem) => {
      if (this.request.exclude?.includes(item)) {
        return;
      }
      if (item.parent) {
        files.set(item.parent, [...(files.get(item.parent) ?? []), item]);
      } else {
        item.children.forEach(add);
      }
    };
    if (this.request.include) {
      this.request.include.forEach(add);
    } else {
      this.controller.items.forEach(add);
    }
    return files;
  }

  private async runFile(command: string, args: string[], file: vscode.TestItem, tests: vscode.TestItem[]) {
    if (!file.uri) {
      return;
    }
    const opened = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.id);
    await opened?.save(); // even where VS Code is to save nothing: the view shows the tests of this text
    const text = opened?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(file.uri));
    const unsaved = aboutUnsaved(unsavedFiles(text, vscode.workspace.textDocuments));
    // VS Code has saved them otherwise, which extensions hear of a moment later.
    if (unsaved && !vscode.workspace.getConfiguration('testing').get<boolean>('saveBeforeTest', true)) {
      this.testRun.appendOutput(`${unsaved}\r\n`);
    }
    const folder = vscode.workspace.getWorkspaceFolder(file.uri)?.uri ?? vscode.Uri.joinPath(file.uri, '..');
    const stop = new AbortController();
    const cancelling = this.token.onCancellationRequested(() => {
      stop.abort();
    });
    const all = [...args, ...(this.update ? ['--update'] : []), '--', relative(folder.fsPath, file.uri.fsPath)];
    const { output, errors } = await run(command, all, { cwd: folder.fsPath, signal: stop.signal });
    cancelling.dispose();
    const report = readReport(output);
    const [broken] = report?.broken ?? [];
    if (!report || broken) {
      this.breakAll(tests, broken?.message ?? (errors || output || 'kro-ls did not run the tests'), folder);
      return;
    }
    const items = [...file.children].map(([, item]) => item).sort((a, b) => (a.sortText ?? '').localeCompare(b.sortText ?? ''));
    report.results.forEach((result, index) => {
      const item = items[index];
      if (item && tests.includes(item)) {
        this.conclude(item, result, folder);
      }
    });
  }

  private conclude(item: vscode.TestItem, result: TestResult, folder: vscode.Uri): void {
    if (result.messages.length === 0) {
      this.testRun.passed(item);
    } else {
      this.testRun.failed(
        item,
        result.messages.map((each) => Object.assign(messageOf(each, item, folder), { contextValue: 'kro.failed' })),
      );
    }
    if (result.updated) {
      const changes = result.changes ? `\n${result.changes}` : '';
      this.testRun.appendOutput(`updated${changes}\n`.replaceAll('\n', '\r\n'), undefined, item);
    }
    this.testRun.appendOutput(result.messages.join('\n').replaceAll('\n', '\r\n'), undefined, item);
  }

  private breakAll(tests: vscode.TestItem[], message: string, folder: vscode.Uri): void {
    this.testRun.appendOutput(`${message.replaceAll('\n', '\r\n')}\r\n`);
    for (const test of tests) {
      this.testRun.errored(test, messageOf(message, test, folder));
    }
  }
}

function messageOf(message: string, item: vscode.TestItem, folder: vscode.Uri): vscode.TestMessage {
  const { text, place } = placed(message);
  const found = new vscode.TestMessage(text);
  if (place) {
    const absolute = /^(?:[A-Za-z]:)?[\\/]/.test(place.file);
    const uri = absolute ? vscode.Uri.file(place.file) : vscode.Uri.joinPath(folder, place.file);
    found.location = new vscode.Location(uri, new vscode.Position(place.line, place.column));
  } else if (item.uri && item.range) {
    found.location = new vscode.Location(item.uri, item.range.start);
  }
  return found;
}
