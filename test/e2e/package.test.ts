import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '#scripts/local/port.ts';
import { makePackage } from '#scripts/package/make-package.ts';
import { connectModern } from '#support/mcp-clients.ts';

const PROJECT = join(import.meta.dirname, '../..');
let scratch: string;
let installed: string;
const ends: (() => Promise<void>)[] = [];

/** As on a user's machine: an empty folder, and this Node. */
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'periscope-package-'));
  const { file } = await makePackage(PROJECT, join(scratch, 'made'));
  installed = mkdtempSync(join(scratch, 'empty-'));
  const npm = spawnSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', file], {
    cwd: installed,
    encoding: 'utf8',
  });
  if (npm.status !== 0) throw new Error(`npm install: ${npm.stderr}`);
});

afterAll(async () => {
  for (const end of ends) await end();
  rmSync(scratch, { recursive: true, force: true });
});

function run(args: string[], settings: Record<string, string>) {
  const program = join(installed, 'node_modules/.bin/periscope-mcp');
  const child = spawn(program, args, {
    cwd: installed,
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      XDG_DATA_HOME: join(scratch, 'data'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, ended: once(child, 'exit'), output: () => output };
}

async function start(port: number) {
  const { child, ended, output } = run([], { PORT: String(port), RENDER_ENABLED: 'false' });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  ends.push(stop);
  await expect.poll(output, { timeout: 240_000 }).toMatch(/^Periscope is ready at |^Periscope did not start/m);
  return { stop, output };
}

const folder = () => join(scratch, 'data/periscope');
const setting = (name: string) =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(join(folder(), '.dev.vars'), 'utf8'))?.[1] ?? '';

describe('the package, installed from its tarball into an empty folder,', () => {
  it('contains what it needs and nothing else', () => {
    const root = join(installed, 'node_modules/periscope-mcp');
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((file) => !file.startsWith('migrations/'))
      // Wrangler puts the hash of a module before its name.
      .map((file) => file.replace(/\/[0-9a-f]{40}-/, '/'));
    expect(files.sort()).toEqual([
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.txt',
      'bin.mjs',
      'package.json',
      'scripts/backup.js',
      'scripts/local/serve.js',
      'scripts/require-node.mjs',
      'scripts/restore.js',
      'scripts/start.js',
      'scripts/token.js',
      'worker/index.js',
      'worker/pdfjs',
      'wrangler.toml',
    ]);
    expect(readdirSync(join(root, 'migrations'))).toEqual(
      readdirSync(join(PROJECT, 'migrations')).filter((file) => file.endsWith('.sql')),
    );
  });

  it('lists every bundled package, with the text of its licence', () => {
    const notices = readFileSync(join(installed, 'node_modules/periscope-mcp/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['hono', 'zod', 'mammoth', 'unpdf', 'smol-toml']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d[\\w.]* \\(`, 'm'));
    }
    expect(notices).toContain('Permission is hereby granted');
  });

  it('starts, keeps its data in the folder of the user, and answers a client', async () => {
    const port = await findFreePort();
    const { stop, output } = await start(port);
    expect(output()).toContain(`Periscope is ready at http://localhost:${port}/`);
    const mcpUrl = `http://localhost:${port}/mcp`;
    const client = await connectModern({ mcpUrl, token: setting('LOCAL_ACCESS_TOKEN') });
    const answer = await client.call('web_extract', { html: '<main><h1>Tea</h1><p>Water first.</p></main>' });
    expect(answer.text).toContain('Water first.');
    await client.close();

    const tokens = run(['token', 'create', '--name', 'agent', '--json'], { PORT: String(port) });
    expect(await tokens.ended).toEqual([0, null]);
    expect(JSON.parse(tokens.output())).toMatchObject({ name: 'agent', scopes: ['web:read'] });
    await stop();
    expect(existsSync(join(folder(), '.wrangler/state'))).toBe(true);
    expect(readdirSync(installed).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);
  });

  it('starts again with the same passphrase, and explains how', async () => {
    const port = await findFreePort();
    const before = setting('OWNER_PASSPHRASE');
    await start(port);
    expect(setting('OWNER_PASSPHRASE')).toBe(before);
    const second = run([], { PORT: String(port) });
    await second.ended;
    expect(second.output()).toMatch(/: PORT=\d+ npx periscope-mcp$/m);
  });
});
