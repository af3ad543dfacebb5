// Runs after `npm ci`, on whatever Node the machine has, so in plain JavaScript. Scripts and tests run on Node 24: a machine
// that has another one gets it in node_modules, as the lock file in `node` says. `npm run` and npx find it in `.bin`.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAJOR = '24';
const isWindows = process.platform === 'win32';
const program = isWindows ? 'node.exe' : 'node';
const manifests = fileURLToPath(new URL('node', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const home = join(modules, '.node');
const linked = join(modules, '.bin', program);

if (process.env['npm_config_package_lock_only'] === 'true') process.exit(0);
if (process.versions.node.split('.')[0] === MAJOR && !process.execPath.startsWith(modules)) {
  rmSync(home, { recursive: true, force: true });
  link(process.execPath);
} else {
  const installed = installedNode() ?? install();
  if (installed !== undefined) link(installed);
}

/** The installed Node, if it has the current version. */
function installedNode() {
  const folder = join(home, 'node_modules');
  if (!existsSync(folder)) return undefined;
  const { optionalDependencies } = readJson(join(manifests, 'package.json'));
  for (const name of readdirSync(folder).filter((entry) => entry in optionalDependencies)) {
    const file = join(folder, name, 'bin', program);
    const { version } = readJson(join(folder, name, 'package.json'));
    if (version === optionalDependencies[name] && existsSync(file)) return file;
  }
  return undefined;
}

function install() {
  mkdirSync(home, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(manifests, name), join(home, name));
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--include=optional'];
  const { npm_execpath: npm } = process.env;
  if (npm === undefined) spawnSync('npm', args, { cwd: home, stdio: 'inherit', shell: isWindows });
  else spawnSync(process.execPath, [npm, ...args], { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  const installed = installedNode();
  if (installed === undefined) {
    process.stderr.write(`Node ${MAJOR} could not be installed for this machine. Scripts need Node 22.18 or newer.\n`);
    return undefined;
  }
  // C headers are a third of the package, and nothing is compiled here.
  rmSync(join(dirname(installed), '../include'), { recursive: true, force: true });
  return installed;
}

function link(target) {
  mkdirSync(dirname(linked), { recursive: true });
  rmSync(linked, { force: true });
  if (isWindows) copyFileSync(target, linked);
  else symlinkSync(target.startsWith(modules) ? relative(dirname(linked), target) : target, linked);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
