/** Puts the parts together; loaded when something concerns kro. */
import type * as vscode from 'vscode';
import { commandsOf } from './commands';
import { offerDefinitions } from './commands/addDefinitions';
import { avoidRedHatYaml } from './redHatYaml';
import { Session } from './session';
import { StatusItem } from './statusItem';
import { registerTests } from './testing/controller';
import { offerNoWords, registerSuggest } from './typing/completion';
import { indentDefinitions } from './typing/indentation';
import { watchWalkthrough } from './walkthrough';
import { type Kind, Views } from './webviews/views';

export interface Main {
  /** Has a view live again that VS Code kept while the window was loaded again. */
  restore(kind: Kind, panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  run(command: string, args: unknown[]): unknown;
  stop(): Promise<void>;
}

export function start(context: vscode.ExtensionContext): Main {
  const session = new Session(context);
  const views = new Views(session);
  const commands = commandsOf(session, views);
  context.subscriptions.push(
    session,
    views,
    new StatusItem(session, views),
    watchWalkthrough(),
    avoidRedHatYaml(),
    registerTests(session),
    indentDefinitions(session),
    offerDefinitions(),
    registerSuggest(),
    offerNoWords(session),
  );
  session.startForOpenDocuments();
  return {
    restore: (kind, panel, state) => views.restore(kind, panel, state),
    run: (command, args) => commands[command]?.(...args),
    stop: () => session.stop(),
  };
}
