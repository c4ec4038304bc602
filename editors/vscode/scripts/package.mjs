// Makes dist/kro-ls-VERSION.vsix: the bundles, and the wheel of the server from this checkout.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve("..", "..");
const environment = join(root, ".venv", process.platform === "win32" ? "Scripts" : "bin");
const hatchling = join(environment, "hatchling");
if (!existsSync(hatchling) && !existsSync(`${hatchling}.exe`)) {
  throw new Error("there is no .venv with hatchling in the checkout; run scripts/setup first");
}
rmSync("server", { recursive: true, force: true });
execFileSync(hatchling, ["build", "-t", "wheel", "-d", join("editors", "vscode", "server")], {
  cwd: root,
  stdio: "inherit",
});
execFileSync(process.execPath, [join("scripts", "build.mjs")], { stdio: "inherit" });
copyFileSync(join(root, "LICENSE"), "LICENSE");

const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const vsce = join("node_modules", "@vscode", "vsce", "vsce");
const target = join("dist", `${name}-${version}.vsix`);
execFileSync(process.execPath, [vsce, "package", "--no-dependencies", "--allow-missing-repository", "--out", target], {
  stdio: "inherit",
});
