/** What the commands of `package.json` do. */
import { addDefinitions } from './commands/addDefinitions';
import { chooseInstance } from './commands/chooseInstance';
import { importManifests } from './commands/importManifests';
import { newDefinition } from './commands/newDefinition';
import { reportIssue } from './commands/reportIssue';
import { showStatus } from './commands/showStatus';
import { showText } from './commands/showText';
import { showWhy } from './commands/showWhy';
import type { Session } from './session';
import { updateTests } from './testing/update';
import type { Views } from './webviews/views';

export type Commands = Readonly<Record<string, (...args: unknown[]) => unknown>>;

export function commandsOf(session: Session, views: Views): Commands {
  return {
    'kro.preview': (place) => showText(session, 'kro.preview', place),
    'kro.showGraph': (place) => views.show('graph', place),
    'kro.showPreview': (place) => views.show('preview', place),
    'kro.graph': (place) => showText(session, 'kro.graph', place),
    'kro.crd': (place) => showText(session, 'kro.crd', place),
    'kro.instance': (place) => showText(session, 'kro.instance', place),
    'kro.why': (instance) => showWhy(session, instance),
    'kro.chooseInstance': () => chooseInstance(session),
    'kro.importManifests': (place) => importManifests(session, place),
    'kro.toggleValues': () => session.execute('kro.toggleValues'),
    'kro.updateTest': (argument) => updateTests(session, argument),
    'kro.newDefinition': newDefinition,
    'kro.addDefinitions': addDefinitions,
    'kro.showStatus': () => showStatus(session, views.document),
    'kro.installServer': () => session.install(),
    'kro.restartServer': async () => {
      await session.restart();
      await session.running();
    },
    'kro.showLog': () => {
      session.log.show();
    },
    'kro.reportIssue': () => reportIssue(session),
  };
}
