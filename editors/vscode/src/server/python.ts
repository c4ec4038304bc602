/** Finds a Python that can run the server. */
import { existsSync, mkdirSync } from "node:fs";
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

/** Reads what an interpreter answered: its version, if it is new enough. */
export function supportedVersion(answer: string): string | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)\s*$/.exec(answer) ?? [];
  return major === "3" && Number(minor) >= OLDEST_MINOR ? `3.${minor ?? ""}` : undefined;
}

/** The first interpreter that runs and is new enough; `setting` names the only one to try. */
export async function findPython(setting: string, machine: Machine, cwd: string): Promise<Python | undefined> {
  mkdirSync(cwd, { recursive: true });
  const candidates = setting === "" ? interpreters(machine) : [{ command: setting, args: [] }];
  for (const { command, args } of candidates.filter((each) => existsSync(each.command))) {
    const program = "import sys; print('%d.%d' % sys.version_info[:2])";
    const { code, output } = await run(command, [...args, "-I", "-c", program], { cwd, timeout: 10_000 });
    const version = code === 0 ? supportedVersion(output) : undefined;
    if (version !== undefined) {
      return { command, args, version };
    }
  }
  return undefined;
}
