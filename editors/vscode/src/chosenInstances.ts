/**
 * The instances that the user chose for definitions. A server forgets a choice when it ends, so it is sent to a
 * new one, also after the window was reloaded.
 */
import type { Memento } from 'vscode';

/** What `kro.chooseInstance` takes; without an instance the server chooses. */
export interface Choice {
  readonly uri: string;
  readonly definition: number;
  readonly instance?: string | undefined;
  readonly item?: number | undefined;
}

const KEY = 'kro.instances';
/** The server's answer where there is no such instance any more. */
const INVALID_PARAMS = -32602;

export class ChosenInstances {
  constructor(
    private readonly kept: Memento,
    private readonly send: (choice: Choice) => Promise<unknown>,
  ) {}

  /** Stores what was sent to this server, for later servers. */
  async keep(choice: Choice): Promise<void> {
    const others = this.all.filter(({ uri, definition }) => uri !== choice.uri || definition !== choice.definition);
    await this.kept.update(KEY, choice.instance === undefined ? others : [...others, choice]);
  }

  /** Sends the choices for a document that the server has just opened. A choice that is no longer valid is forgotten. */
  async sendFor(document: string): Promise<void> {
    for (const choice of this.all.filter(({ uri }) => uri === document)) {
      await this.send(choice).catch(async (error: unknown) => {
        if ((error as { code?: unknown }).code === INVALID_PARAMS) {
          await this.keep({ uri: choice.uri, definition: choice.definition });
        }
      });
    }
  }

  private get all(): Choice[] {
    return this.kept.get<Choice[]>(KEY, []);
  }
}
