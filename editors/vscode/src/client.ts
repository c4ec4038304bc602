/** The language client, as the server and this extension need it. */
import type { Status } from 'kro-views/src/wire';
import * as vscode from 'vscode';
import {
  type DynamicFeature,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type StaticFeature,
  TransportKind,
} from 'vscode-languageclient/node';
import type { Gate } from './gate';
import { SCHEME } from './preview/observedFiles';
import { withoutDoubles } from './redHatYaml';
import type { Launch } from './server/places';
import { completions } from './typing/completion';

/** The server's description of itself in `kro/status`; an older one does not name the version of kro. */
export type ServerStatus = Readonly<Omit<Status, 'kroVersion'> & Partial<Status>>;

/** The extension registers commands itself, before there is a server; and the server pushes diagnostics sooner than they could be asked for. */
const UNUSED = new Set(['workspace/executeCommand', 'textDocument/diagnostic']);

class KroClient extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (!('registrationType' in feature && UNUSED.has(feature.registrationType.method))) {
      super.registerFeature(feature);
    }
  }
}

/** Has a lens open the view, where other editors are shown the preview as text. */
function inView(lens: vscode.CodeLens | null | undefined): vscode.CodeLens | null | undefined {
  if (lens?.command?.command === 'kro.preview') {
    lens.command = { ...lens.command, command: 'kro.showPreview' };
  }
  return lens;
}

/** `folder` is where the server is to run. */
export function makeClient(launch: Launch, folder: string, gate: Gate, log: vscode.LogOutputChannel): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector: ['file', 'untitled', SCHEME].map((scheme) => ({ language: 'yaml', scheme })),
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    diagnosticCollectionName: 'kro',
    markdown: { supportThemeIcons: false },
    middleware: {
      sendNotification: gate.sendNotification,
      sendRequest: gate.sendRequest,
      handleDiagnostics: withoutDoubles,
      provideCompletionItem: (document, position, context, token, next) => {
        const ask = () => next(document, position, context, token);
        return gate.follows(document.uri.toString()) ? completions(ask, document, position) : ask();
      },
      resolveCodeLens: async (lens, token, next) => inView(await next(lens, token)),
      window: {
        // What a command shows stands beside what it is about.
        showDocument: async (params, token, next) => {
          if (params.uri.startsWith('file:')) {
            return next(params, token);
          }
          if (params.uri.endsWith('.md')) {
            await vscode.commands.executeCommand('markdown.showPreviewToSide', vscode.Uri.parse(params.uri));
            return { success: true };
          }
          const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(params.uri));
          await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
          return { success: true };
        },
      },
    },
  };
  const client = new KroClient(
    'kro',
    'kro',
    {
      command: launch.command,
      args: [...launch.args, 'serve'],
      transport: TransportKind.stdio,
      options: { cwd: folder, env: { ...process.env, PYTHONUTF8: '1' } },
    },
    options,
  );
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { kroStatus: true, kroGraphChanged: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: 'static' }),
    clear: () => undefined,
  });
  return client;
}
