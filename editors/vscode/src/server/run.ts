/** Runs a program to its end. */
import { spawn } from "node:child_process";

export interface Outcome {
  /** The exit code; -1 where the program could not be started or was stopped. */
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Never rejects: what went wrong is in the outcome. Nothing goes through a shell. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; signal?: AbortSignal; timeout?: number; line?: (text: string) => void },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const output: string[] = [];
    const errors: string[] = [];
    const child = spawn(command, args, {
      cwd: options.cwd,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      env: { ...process.env, PYTHONUTF8: "1", NO_COLOR: "1" },
      ...(options.signal && { signal: options.signal }),
      ...(options.timeout !== undefined && { timeout: options.timeout }),
    });
    const collect = (into: string[]) => (text: string) => {
      into.push(text);
      options.line?.(text.trimEnd());
    };
    child.stdout.setEncoding("utf8").on("data", collect(output));
    child.stderr.setEncoding("utf8").on("data", collect(errors));
    const end = (code: number) => {
      resolve({ code, output: output.join(""), errors: errors.join("") });
    };
    child.on("error", (error) => {
      errors.push(error.message);
      end(-1);
    });
    child.on("close", (code) => {
      end(code ?? -1);
    });
  });
}
