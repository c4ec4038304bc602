/** Requests that an edit, or a newer request, took the place of. */

/** LSP's code for them. */
const CONTENT_MODIFIED = -32801;
const MOST_ATTEMPTS = 20;
const PAUSE_MILLISECONDS = 100;

export function isContentModified(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === CONTENT_MODIFIED;
}

/** Asks again while edits, or newer requests, come first: the user still wants the answer. */
export async function untilUnmodified<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isContentModified(error) || attempt === MOST_ATTEMPTS) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  }
}

/** Questions of which each takes the place of the one before it. */
export class Questions {
  private last = 0;

  /**
   * Gives the answer; undefined where the question failed and a newer one has been asked since.
   *
   * Asking again for it would take the place of the newer one, which would then be asked again in turn, without an end.
   */
  async ask<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    const number = (this.last += 1);
    try {
      return await ask();
    } catch (error) {
      if (number === this.last) {
        throw error;
      }
      return undefined;
    }
  }
}
