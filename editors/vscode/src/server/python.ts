/** Finds a Python that can run the server. */
import { existsSync } from "node:fs";
import { type Machine, onPath } from "./places";
import { run } from "./run";

export interface Python {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: string;
}

const OLDEST_MINOR = 11;
const NEWEST_MINOR = 14;

/** The interpreters to try, best first. */
export function interpreters(machine: Machine): { command: string; args: string[] }[] {
  const minors = Array.from({ length: NEWEST_MINOR - OLDEST_MINOR + 1 }, (_, index) => NEWEST_MINOR - index);
  const names = [...minors.map((minor) => `python3.${minor}`), "python3", "python"];
  const found = names.flatMap((name) => onPath(name, machine)).map((command) => ({ command, args: [] as string[] }));
  if (machine.platform !== "win32") {
    return found;
  }
  // The launcher that Python's installer puts there knows installations that are not on the path.
  return [...onPath("py", machine).map((command) => ({ command, args: ["-3"] })), ...found];
}

/** Reads what an interpreter answered: its version; undefined where it is none. */
export function versionIn(answer: string): string | undefined {
  return /^(\d+\.\d+)\s*$/.exec(answer)?.[1];
}

export function isSupported(version: string): boolean {
  const [major, minor] = version.split(".").map(Number);
  return major === 3 && minor !== undefined && minor >= OLDEST_MINOR;
}

/** What was found: an interpreter that is new enough, and those that are too old to be it. */
export interface Found {
  readonly python: Python | undefined;
  readonly older: readonly Python[];
}

/** Looks for the first interpreter that runs and is new enough; `setting` names the only one to try. */
export async function findPython(setting: string, machine: Machine, cwd: string): Promise<Found> {
  const candidates = setting === "" ? interpreters(machine) : [{ command: setting, args: [] }];
  const older: Python[] = [];
  for (const { command, args } of candidates.filter((each) => existsSync(each.command))) {
    const program = "import sys; print('%d.%d' % sys.version_info[:2])";
    const { code, output } = await run(command, [...args, "-I", "-c", program], { cwd, timeout: 10_000 });
    const version = code === 0 ? versionIn(output) : undefined;
    if (version !== undefined && isSupported(version)) {
      return { python: { command, args, version }, older };
    }
    if (version !== undefined) {
      older.push({ command, args, version });
    }
  }
  return { python: undefined, older };
}

/** Why there is no Python to install with, for people. `setting` is the one that the user named, if any. */
export function withoutPython(setting: string, { older: [best] }: Found): string {
  const needed = "kro-ls needs Python 3.11 or newer";
  if (setting !== "") {
    const found = best ? `is Python ${best.version}` : existsSync(setting) ? "does not run as a Python" : "is not there";
    return `${needed}, but ${setting}, which the setting kro.server.python names, ${found}.`;
  }
  return best
    ? `${needed}, and only Python ${best.version} was found (${best.command}).`
    : `${needed}, and no Python was found.`;
}
