/** Puts the parts together; loaded when something concerns kro. */
import * as vscode from "vscode";
import { commandsOf } from "./commands";
import { offerDefinitions } from "./commands/addDefinitions";
import { avoidRedHatYaml } from "./redHatYaml";
import { Session } from "./session";
import { StatusItem } from "./statusItem";
import { registerTests } from "./testing/controller";
import { registerSuggest } from "./typing/completion";
import { indentDefinitions } from "./typing/indentation";
import { watchWalkthrough } from "./walkthrough";
import { Views } from "./webviews/views";

export interface Main {
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
    new StatusItem(session),
    watchWalkthrough(),
    avoidRedHatYaml(),
    registerTests(session),
    indentDefinitions(session),
    offerDefinitions(),
    registerSuggest(),
  );
  session.startForOpenDocuments();
  return {
    run: (command, args) => commands[command]?.(...args),
    stop: () => session.stop(),
  };
}
