// Makes dist/kro-ls-VERSION.vsix: the bundles, and the wheel of the server from this checkout.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve('..', '..');
rmSync('server', { recursive: true, force: true });
const [program, ...options] = wheelBuilder();
execFileSync(program, options, { cwd: root, stdio: 'inherit' });
execFileSync(process.execPath, [join('scripts', 'build.mjs')], { stdio: 'inherit' });
copyFileSync(join(root, 'LICENSE'), 'LICENSE');

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const vsce = fileURLToPath(import.meta.resolve('@vscode/vsce/vsce'));
const target = join('dist', `${name}-${version}.vsix`);
execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--out', target], {
  stdio: 'inherit',
});

/** The command that builds the wheel in the checkout: that of its `.venv` where there is one, else pip's. */
function wheelBuilder() {
  const target = join('editors', 'vscode', 'server');
  const scripts = join(root, '.venv', process.platform === 'win32' ? 'Scripts' : 'bin');
  const hatchling = join(scripts, process.platform === 'win32' ? 'hatchling.exe' : 'hatchling');
  if (existsSync(hatchling)) {
    return [hatchling, 'build', '-t', 'wheel', '-d', target];
  }
  const newEnough = 'import sys, pip; sys.exit(sys.version_info < (3, 11))';
  const names = ['3.14', '3.13', '3.12', '3.11', '3', ''].map((version) => `python${version}`);
  const python = (process.env.PYTHON ? [process.env.PYTHON] : names).find(
    (name) => spawnSync(name, ['-c', newEnough], { stdio: 'ignore' }).status === 0,
  );
  if (!python) {
    throw new Error("the server's package needs Python 3.11 or newer with pip; install it, or name it in PYTHON");
  }
  return [python, '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', target, '.'];
}
