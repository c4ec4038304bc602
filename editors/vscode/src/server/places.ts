/** Where a `kro-ls` may be. Pure, so that the ways of Windows are tested everywhere. */
import * as path from "node:path";

/** The system that paths are made for. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a server is started, and where it was found. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly origin: "setting" | "environment" | "path" | "extension";
}

/** Where to look. */
export interface Search {
  readonly setting: string;
  /** The workspace's folders, if its programs may be run. */
  readonly folders: readonly string[];
  /** The environment that the extension made, if it did. */
  readonly own: string | undefined;
}

export function pathsOf(machine: Machine): path.PlatformPath {
  return machine.platform === "win32" ? path.win32 : path.posix;
}

/** The program of a virtual environment. */
export function programOf(environment: string, name: string, machine: Machine): string {
  return machine.platform === "win32"
    ? path.win32.join(environment, "Scripts", `${name}.exe`)
    : path.posix.join(environment, "bin", name);
}

/** The launches to try, best first. A setting excludes all others: the user wants the server that it names. */
export function launches(search: Search, machine: Machine): Launch[] {
  if (search.setting !== "") {
    return [{ command: expand(search.setting, search.folders[0], machine), args: [], origin: "setting" }];
  }
  const paths = pathsOf(machine);
  const inEnvironments = search.folders.flatMap((folder) =>
    [".venv", "venv"].map((name) => programOf(paths.join(folder, name), "kro-ls", machine)),
  );
  const own: Launch[] =
    search.own === undefined
      ? []
      : [{ command: programOf(search.own, "python", machine), args: ["-I", "-m", "kro_ls"], origin: "extension" }];
  return [
    ...inEnvironments.map((command): Launch => ({ command, args: [], origin: "environment" })),
    ...onPath("kro-ls", machine).map((command): Launch => ({ command, args: [], origin: "path" })),
    ...own,
  ];
}

/** The places of a program in the folders of `PATH`. Relative ones are left out: what they mean, a workspace decides. */
export function onPath(name: string, machine: Machine): string[] {
  const windows = machine.platform === "win32";
  const paths = pathsOf(machine);
  // Windows does not distinguish `Path` from `PATH`.
  const key = windows ? Object.keys(machine.env).find((each) => each.toUpperCase() === "PATH") : "PATH";
  const folders = (key === undefined ? "" : (machine.env[key] ?? "")).split(windows ? ";" : ":");
  return folders
    .map((folder) => folder.replace(/^"(.*)"$/, "$1"))
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => paths.join(folder, windows ? `${name}.exe` : name));
}

/** A path as a user writes it, with `~` and `${workspaceFolder}`; a relative one is in the folder. */
export function expand(written: string, folder: string | undefined, machine: Machine): string {
  const paths = pathsOf(machine);
  const inHome = /^~(?=$|[/\\])/.test(written) ? paths.join(machine.home, written.slice(1)) : written;
  const expanded = inHome.replaceAll("${workspaceFolder}", folder ?? "");
  return paths.isAbsolute(expanded) || folder === undefined ? expanded : paths.join(folder, expanded);
}
