/** The environment that the extension makes for the server, from the wheel that it carries. */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Machine, programOf } from "./places";
import type { Python } from "./python";
import { run } from "./run";

const FINISHED = "kro-ls-installed";

/** Why the environment could not be made, for people. */
export class InstallError extends Error {}

export class Environment {
  readonly folder: string;

  /** `storage` is the extension's own folder, `extension` where it is installed. */
  constructor(
    readonly storage: string,
    private readonly extension: string,
    version: string,
    private readonly machine: Machine,
  ) {
    this.folder = join(storage, `server-${version}`);
  }

  /** Whether it is there and complete. */
  get exists(): boolean {
    return existsSync(join(this.folder, FINISHED));
  }

  /** Whether one for another version of the extension is there: the user once said yes. */
  get existedBefore(): boolean {
    return this.others().length > 0;
  }

  /** Takes away what is left of an earlier try. Raises InstallError where the folder cannot be written. */
  prepare(): void {
    try {
      mkdirSync(this.storage, { recursive: true });
      accessSync(this.storage, constants.W_OK);
      rmSync(this.folder, { recursive: true, force: true });
    } catch (error) {
      throw new InstallError(cannotWrite(this.storage, error instanceof Error ? error.message : String(error)));
    }
  }

  /** Makes it in the prepared folder. Raises InstallError, also when `signal` stops it. */
  async make(python: Python, report: (step: string) => void, log: (line: string) => void, signal: AbortSignal) {
    const wheel = this.wheel();
    const step = async (title: string, command: string, args: string[]) => {
      report(title);
      log(`${command} ${args.join(" ")}`);
      const { code, errors, output } = await run(command, args, { cwd: this.storage, signal, line: log });
      if (signal.aborted) {
        rmSync(this.folder, { recursive: true, force: true });
        throw new InstallError("The installation was cancelled.");
      }
      if (code !== 0) {
        throw new InstallError(explain(errors + output, this.storage));
      }
    };
    await step(`making an environment with Python ${python.version}`, python.command, [
      ...python.args,
      "-I",
      "-m",
      "venv",
      this.folder,
    ]);
    await step("installing kro-ls", programOf(this.folder, "python", this.machine), [
      "-I",
      "-m",
      "pip",
      "install",
      "--disable-pip-version-check",
      "--no-input",
      "--prefer-binary",
      wheel,
    ]);
    writeFileSync(join(this.folder, FINISHED), "");
    for (const other of this.others()) {
      rmSync(join(this.storage, other), { recursive: true, force: true });
    }
  }

  private wheel(): string {
    const folder = join(this.extension, "server");
    const wheel = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".whl")) : undefined;
    if (wheel === undefined) {
      throw new InstallError("This build of the extension carries no server.");
    }
    return join(folder, wheel);
  }

  private others(): string[] {
    const own = this.folder.slice(this.storage.length + 1);
    return existsSync(this.storage)
      ? readdirSync(this.storage).filter((name) => name.startsWith("server-") && name !== own)
      : [];
  }
}

function cannotWrite(folder: string, reason: string): string {
  return `The server cannot be installed into ${folder}: ${reason}. Make the folder writable, or install kro-ls yourself and name it in the setting kro.server.path.`;
}

/** What the output of `venv` or `pip`, which write into a folder, means for the user. */
export function explain(output: string, folder: string): string {
  if (/ensurepip|python3?[\d.]*-venv/.test(output)) {
    return "This Python cannot make virtual environments. On Debian and Ubuntu: sudo apt install python3-venv";
  }
  if (/No matching distribution|Could not (?:find a version|fetch)|NewConnectionError|Temporary failure/i.test(output)) {
    return "The packages that kro-ls needs could not be downloaded. Is there a connection, or a proxy to set for pip?";
  }
  if (/No space left on device|Errno 28\b/.test(output)) {
    return `There is no space left on the disk to install the server into ${folder}.`;
  }
  const refused = /^.*(?:Permission denied|Read-only file system|Access is denied).*$/im.exec(output);
  if (refused) {
    return cannotWrite(folder, refused[0].replace(/^ERROR: */, "").trim());
  }
  const last = output.trim().split(/\r?\n/).at(-1) ?? "";
  return `The server could not be installed: ${last}`;
}
