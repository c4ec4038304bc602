/** Puts the parts together; loaded when something concerns kro. */
import * as vscode from "vscode";
import { commandsOf } from "./commands";
import { Graphs } from "./graph/graphs";
import { avoidRedHatYaml } from "./redHatYaml";
import { Session } from "./session";
import { StatusItem } from "./statusItem";
import { registerTests } from "./testing/controller";

export interface Main {
  run(command: string, args: unknown[]): unknown;
  stop(): Promise<void>;
}

export function start(context: vscode.ExtensionContext): Main {
  const session = new Session(context);
  const graphs = new Graphs(session);
  const commands = commandsOf(session, graphs);
  context.subscriptions.push(session, graphs, new StatusItem(session), avoidRedHatYaml(), registerTests(session));
  session.startForOpenDocuments();
  return {
    run: (command, args) => commands[command]?.(...args),
    stop: () => session.stop(),
  };
}
