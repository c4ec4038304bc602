/** The one server of a window: found or installed, started when a document concerns kro, restarted and stopped. */
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type LanguageClient, State } from 'vscode-languageclient/node';
import { makeClient, type ServerStatus } from './client';
import { type Choice, ChosenInstances } from './chosenInstances';
import { Gate } from './gate';
import { Installer } from './installer';
import { SCHEME } from './preview/observedFiles';
import { concernsKro } from './relevance';
import { Environment } from './server/environment';
import { type Launch, launches, type Machine } from './server/places';
import { tick } from './walkthrough';

/** How the session is: `missing` means that there is no server to start. */
export type SessionState = 'stopped' | 'starting' | 'running' | 'missing' | 'failed';

export class Session implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel('kro', { log: true });
  readonly machine: Machine = { platform: process.platform, home: homedir(), env: process.env };
  readonly gate = new Gate(
    (uri, text) => uri.startsWith(`${SCHEME}:`) || concernsKro(uri, text, this.instanceKinds),
    (uri) => openDocuments().find((document) => document.uri === uri),
    () => {
      this.changed.fire();
    },
    (uri) => {
      void this.chosen.sendFor(uri).then(() => {
        this.followed.fire(uri);
      });
    },
  );
  readonly installer: Installer;
  state: SessionState = 'stopped';
  status: ServerStatus | undefined;
  launch: Launch | undefined;

  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when the state, the status or the followed documents change. */
  readonly onDidChange = this.changed.event;
  private readonly followed = new vscode.EventEmitter<string>();
  /** Fires with the URI of a document when the server knows it, and the choices for it: also anew after a restart. */
  readonly onDidFollow = this.followed.event;
  private readonly chosen: ChosenInstances;
  private client: LanguageClient | undefined;
  private starting: Promise<LanguageClient | undefined> | undefined;
  private instanceKinds: ReadonlySet<string> = new Set();
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(readonly context: vscode.ExtensionContext) {
    const { version } = context.extension.packageJSON as { version: string };
    const environment = new Environment(context.globalStorageUri.fsPath, context.extensionUri.fsPath, version, this.machine);
    this.installer = new Installer(environment, this.log, this.machine);
    this.chosen = new ChosenInstances(context.workspaceState, (argument) => this.send('kro.chooseInstance', argument));
    this.subscriptions.push(
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.startFor(document);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.startFor(document);
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kro.server')) {
          void this.restart();
        }
      }),
    );
  }

  /** Whether a document is one of ours, also while there is no server to follow it. */
  concerns(document: vscode.TextDocument): boolean {
    return (
      this.gate.follows(document.uri.toString()) ||
      (this.state !== 'running' && document.languageId === 'yaml' && concernsKro(document.uri.path, document.getText(), this.instanceKinds))
    );
  }

  /** Whether the server knows a document. */
  follows(uri: string): boolean {
    return this.gate.follows(uri);
  }

  /** Starts the server if an open document needs it. */
  startForOpenDocuments(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.startFor(document);
    }
  }

  /** The running client; starts it first if needed. Undefined without a server, which was reported to the user. */
  async running(): Promise<LanguageClient | undefined> {
    this.starting ??= this.start();
    const client = await this.starting;
    if (!client) {
      this.starting = undefined;
    }
    return client;
  }

  /** Runs a command of the server. Shows the user why where it cannot. */
  async execute(command: string, argument?: object): Promise<unknown> {
    try {
      return await this.send(command, argument);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Selects the instance to use for a definition, in this server and later ones. Shows an error if that fails. */
  async chooseInstance(choice: Choice): Promise<void> {
    if ((await this.execute('kro.chooseInstance', choice)) !== undefined) {
      await this.chosen.keep(choice);
    }
  }

  /** How the command line is started: as the server is. */
  async commandLine(): Promise<Launch | undefined> {
    this.launch ??= this.locate();
    return this.launch ?? ((await this.running()) ? this.launch : undefined);
  }

  async restart(): Promise<void> {
    await this.stop();
    this.startForOpenDocuments();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = this.starting = this.launch = this.status = undefined;
    this.gate.reset();
    this.enter('stopped');
    await client?.dispose().catch((error: unknown) => {
      this.log.warn(String(error));
    });
  }

  /** Installs the server into an environment of the extension's own, and starts it. */
  async install(): Promise<void> {
    if (await this.installer.install()) {
      await this.restart();
      await this.running();
    }
  }

  dispose(): void {
    this.subscriptions.forEach((each) => {
      each.dispose();
    });
    this.log.dispose();
    this.changed.dispose();
    this.followed.dispose();
  }

  private async send(command: string, argument?: object): Promise<unknown> {
    const client = await this.running();
    return client?.sendRequest('workspace/executeCommand', { command, arguments: argument ? [argument] : [] });
  }

  private startFor(document: vscode.TextDocument): void {
    if (this.state === 'stopped' && this.concerns(document)) {
      void this.running();
    }
  }

  private async start(): Promise<LanguageClient | undefined> {
    this.enter('starting');
    this.launch = this.locate();
    if (!this.launch) {
      this.enter('missing');
      this.launch = (await this.installer.offer()) ? this.locate() : undefined;
    }
    if (!this.launch) {
      return undefined;
    }
    const { command, args, origin } = this.launch;
    this.log.info(`starting ${[command, ...args, 'serve'].join(' ')} (${origin})`);
    const client = makeClient(this.launch, this.folder(), this.gate, this.log);
    client.onDidChangeState(({ newState }) => {
      this.stateChanged(client, newState);
    });
    client.onNotification('kro/status', (status: ServerStatus) => {
      this.take(status);
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`the server did not start: ${String(error)}`);
      this.enter('failed');
      return undefined;
    }
    return client;
  }

  /** A folder of the extension to run the server in, so that nothing of a workspace is found before what is meant. */
  private folder(): string {
    const { globalStorageUri, extensionUri } = this.context;
    try {
      mkdirSync(globalStorageUri.fsPath, { recursive: true });
      return globalStorageUri.fsPath;
    } catch {
      return extensionUri.fsPath;
    }
  }

  private locate(): Launch | undefined {
    const setting = vscode.workspace.getConfiguration('kro.server').get('path', '').trim();
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => folder.uri.fsPath);
    const search = {
      setting,
      folders: vscode.workspace.isTrusted ? folders : [],
      own: this.installer.environment.exists ? this.installer.environment.folder : undefined,
    };
    const [first] = launches(search, this.machine).filter((launch) => existsSync(launch.command));
    if (!first && setting !== '') {
      void this.reportWrongPath(setting);
    }
    return first;
  }

  private async reportWrongPath(setting: string): Promise<void> {
    const open = 'Open Settings';
    const text = `The setting kro.server.path names ${setting}, but there is no such program.`;
    if ((await vscode.window.showErrorMessage(text, open)) === open) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'kro.server.path');
    }
  }

  private stateChanged(client: LanguageClient, state: State): void {
    if (client !== this.client) {
      return;
    }
    if (state === State.Running) {
      this.enter('running');
    } else if (state === State.Starting) {
      this.enter('starting');
    } else {
      // The client starts a server that crashed again, and offers it every document anew.
      this.gate.reset();
      this.enter('failed');
    }
  }

  private take(status: ServerStatus): void {
    this.status = status;
    this.instanceKinds = new Set(status.instanceKinds);
    this.changed.fire();
    for (const document of openDocuments()) {
      if (!this.gate.follows(document.uri)) {
        void this.client?.sendNotification('textDocument/didOpen', { textDocument: document });
      }
    }
  }

  private enter(state: SessionState): void {
    this.state = state;
    if (state === 'running') {
      tick('hasServer');
    }
    this.changed.fire();
  }
}

function openDocuments() {
  return vscode.workspace.textDocuments
    .filter((document) => document.languageId === 'yaml' && ['file', 'untitled'].includes(document.uri.scheme))
    .map((document) => ({
      uri: document.uri.toString(),
      languageId: document.languageId,
      version: document.version,
      text: document.getText(),
      isDirty: document.isDirty,
    }));
}
