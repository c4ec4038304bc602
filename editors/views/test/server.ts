// A kro-ls server and its client in few lines: JSON-RPC over the pipes of a child process.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PYTHON = `${ROOT}.venv/bin/python`;
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why tests that need a server and a browser cannot run here; in CI they must. */
export const missing =
  process.env['CI'] === 'true'
    ? false
    : !existsSync(PYTHON)
      ? 'no .venv: run scripts/setup'
      : !existsSync(CHROMIUM)
        ? 'no Chromium: install it, or name it in $CHROMIUM'
        : false;

/** How long a server may take to end; one that takes longer hangs. */
const PATIENCE_MILLISECONDS = 20_000;

export interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

export class Server {
  readonly messages: Message[] = [];
  readonly #process: ChildProcess;
  readonly #waiting: { wanted: (message: Message) => boolean; found: (message: Message) => void }[] = [];
  #received = Buffer.alloc(0);
  readonly #opened = new Set<string>();
  #started: Promise<void> | undefined;
  #lastId = 0;
  #version = 1;

  constructor() {
    this.#process = spawn(PYTHON, ['-m', 'kro_ls', 'serve'], { cwd: ROOT, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#process.stdout?.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#read();
    });
  }

  start(): Promise<void> {
    this.#started ??= this.#initialize();
    return this.#started;
  }

  async #initialize(): Promise<void> {
    const capabilities = { window: { showDocument: { support: true } }, experimental: { kroGraphChanged: true } };
    await this.request('initialize', { processId: process.pid, rootUri: null, capabilities });
    this.notify('initialized', {});
  }

  open(uri: string, text: string): void {
    this.#opened.add(uri);
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: this.#version, text } });
  }

  /** Closes all documents, and forgets what was not waited for: the next test finds the server as a new one. */
  async forget(): Promise<void> {
    for (const uri of this.#opened) {
      this.notify('textDocument/didClose', { textDocument: { uri } });
    }
    this.#opened.clear();
    await this.request('workspace/symbol', { query: '' }); // answered after all that went before
    this.messages.length = this.#waiting.length = 0;
  }

  /** Replaces the text, and returns its version. */
  change(uri: string, text: string): number {
    this.#version++;
    this.notify('textDocument/didChange', { textDocument: { uri, version: this.#version }, contentChanges: [{ text }] });
    return this.#version;
  }

  /** Types a text at a place, as an editor sends it, and returns the new version. */
  type(uri: string, line: number, character: number, text: string): number {
    this.#version++;
    const place = { line, character };
    const contentChanges = [{ range: { start: place, end: place }, text }];
    this.notify('textDocument/didChange', { textDocument: { uri, version: this.#version }, contentChanges });
    return this.#version;
  }

  async request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    const answer = await this.wait((message) => message.id === id && message.method === undefined);
    if (answer.error) {
      throw new Error(answer.error.message);
    }
    return answer.result;
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  wait(wanted: (message: Message) => boolean): Promise<Message> {
    const index = this.messages.findIndex(wanted);
    const [known] = index < 0 ? [] : this.messages.splice(index, 1);
    return known ? Promise.resolve(known) : new Promise((found) => this.#waiting.push({ wanted, found }));
  }

  /** The processor time that the server took so far; 0 where the system does not report it. */
  get processorMilliseconds(): number {
    const stat = `/proc/${this.#process.pid ?? 0}/stat`;
    const [user, system] = existsSync(stat)
      ? readFileSync(stat, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
          .slice(11, 13)
          .map(Number)
      : [];
    return ((user ?? 0) + (system ?? 0)) * 10;
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Shuts the server down as an editor does, unless it has ended, and returns its exit code; null where it hung. */
  async stop(): Promise<number | null> {
    if (this.hasEnded) {
      return this.#process.exitCode;
    }
    const ended = new Promise<number | null>((resolve) => this.#process.once('exit', resolve));
    const overdue = setTimeout(() => this.#process.kill('SIGKILL'), PATIENCE_MILLISECONDS);
    this.request('shutdown', null).then(
      () => {
        this.notify('exit', null);
      },
      () => this.#process.kill('SIGKILL'),
    );
    return ended.finally(() => {
      clearTimeout(overdue);
    });
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(): void {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || this.#received.length < end + 4 + length) {
        return;
      }
      const message = JSON.parse(this.#received.subarray(end + 4, end + 4 + length).toString()) as Message;
      this.#received = this.#received.subarray(end + 4 + length);
      if (message.id !== undefined && message.method !== undefined) {
        this.#send({ id: message.id, result: message.method === 'window/showDocument' ? { success: true } : null });
      }
      const index = this.#waiting.findIndex(({ wanted }) => wanted(message));
      const [waiting] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (waiting) {
        waiting.found(message);
      } else {
        this.messages.push(message);
      }
    }
  }
}
