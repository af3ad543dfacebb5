import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { z } from 'zod';
import { builtBundle, MAIN, readBundle } from '#scripts/local/bundle.ts';
import { PORT_DEFAULT } from '#scripts/local/port.ts';
import { StopError } from '#scripts/local/stop-error.ts';
import { noticesOf, packagesOf } from './notices.ts';
import { repositoryAddress } from './repository.ts';

/** Commands of `npx periscope-mcp COMMAND`; the default is `start`. */
const COMMANDS = ['start', 'token', 'backup', 'restore'];
/** `start.ts` runs `local/serve` in its own process group. */
const PROGRAMS = [...COMMANDS, 'local/serve'];
/** Programs and native parts, which cannot be bundled into one file. */
const INSTALLED = ['@sparticuz/chromium', 'miniflare', 'ws'] as const;
/** `scripts/require-node.mjs` has the same minimum. */
const NODE = '>=22.18';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
  repository: z.object({ type: z.string(), url: z.string() }).optional(),
  devDependencies: z.record(z.string(), z.string()),
});
const packedSchema = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);

/** @returns the tarball, and its number of files and bytes */
export async function makePackage(
  project: string,
  target: string,
): Promise<{ file: string; files: number; bytes: number }> {
  const folder = join(target, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const programs = await buildPrograms(project, folder);
  const worker = await copyWorker(project, join(folder, 'worker'));
  for (const name of ['LICENSE', 'README.md', 'wrangler.toml']) cpSync(join(project, name), join(folder, name));
  cpSync(join(project, 'scripts/require-node.mjs'), join(folder, 'scripts/require-node.mjs'));
  for (const name of readdirSync(join(project, 'migrations')).filter((file) => file.endsWith('.sql'))) {
    cpSync(join(project, 'migrations', name), join(folder, 'migrations', name));
  }
  writeFileSync(
    join(folder, 'THIRD-PARTY-NOTICES.txt'),
    noticesOf(project, packagesOf(project, [...programs, ...worker])),
  );
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')));
  write(join(folder, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
  write(join(folder, 'bin.mjs'), BIN, 0o755);
  return pack(folder, target);
}

/** The program that npx starts. It is plain JavaScript, so that it can say which Node it needs. */
const BIN = `#!/usr/bin/env node
import './scripts/require-node.mjs';

const COMMANDS = ${JSON.stringify(COMMANDS)};
const [, , first] = process.argv;
const command = COMMANDS.includes(first) ? first : 'start';
if (command === first) process.argv.splice(2, 1);
if (first === '--help' || first === '-h') {
  console.log('npx periscope-mcp [--home FOLDER]   runs Periscope at http://localhost:${PORT_DEFAULT} (PORT sets another port)');
  for (const name of COMMANDS.slice(1)) console.log(\`npx periscope-mcp \${name} --help\`);
} else {
  await import(\`./scripts/\${command}.js\`);
}
`;

/** @returns the paths of the bundled sources, relative to the project */
async function buildPrograms(project: string, folder: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: PROGRAMS.map((name) => `scripts/${name}.ts`),
    outbase: '.',
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: [...INSTALLED],
    metafile: true,
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
}

/** @returns the paths of the bundled sources, relative to the project */
async function copyWorker(project: string, target: string): Promise<string[]> {
  const built = await builtBundle(project, join(project, '.wrangler/bundle'), console.error);
  for (const [name, { contents }] of Object.entries(readBundle(built).modules)) write(join(target, name), contents);
  const map: unknown = JSON.parse(readFileSync(join(built, `${MAIN}.map`), 'utf8'));
  return z.object({ sources: z.array(z.string()) }).parse(map).sources;
}

function published({ devDependencies, ...manifest }: z.infer<typeof manifestSchema>) {
  const versions = INSTALLED.map((name) => {
    const version = devDependencies[name];
    if (version === undefined) throw new StopError(`package.json has no version of ${name}.`);
    return [name, version];
  });
  const repository = repositoryAddress(manifest);
  return {
    ...manifest,
    ...(repository === null
      ? {}
      : { mcpName: repository.mcpName, homepage: repository.homepage, bugs: { url: repository.bugs } }),
    type: 'module',
    bin: { 'periscope-mcp': 'bin.mjs' },
    engines: { node: NODE },
    dependencies: Object.fromEntries(versions),
  };
}

function pack(folder: string, target: string): { file: string; files: number; bytes: number } {
  const npm = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', target], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) throw new StopError(`npm pack failed:\n${npm.stderr}`);
  const [{ filename, size, files }] = packedSchema.parse(JSON.parse(npm.stdout));
  const file = join(target, filename);
  return { file, files: files.length, bytes: size };
}

function write(path: string, contents: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents, { mode });
}
