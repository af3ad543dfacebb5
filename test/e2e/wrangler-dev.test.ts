import { spawn } from 'node:child_process';
import { cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '#scripts/local/port.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { programOf } from '#support/run-program.ts';
import { scratchHome } from '#support/server.ts';

const PROJECT = join(import.meta.dirname, '../..');
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** The files of a Git clone, with the packages of this tree. */
function freshClone(): string {
  const { home, remove } = scratchHome();
  cleanUps.push(remove);
  for (const name of ['src', 'generated', 'scripts', 'migrations', 'package.json', 'tsconfig.json', 'wrangler.toml']) {
    cpSync(join(PROJECT, name), join(home, name), { recursive: true });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(home, 'node_modules'));
  return home;
}

/** `npx wrangler dev` in that folder, until its Worker answers. */
async function startDev(project: string) {
  const port = await findFreePort();
  const settings: Record<string, string> = {
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    PATH: `${join(PROJECT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    WRANGLER_SEND_METRICS: 'false',
  };
  const child = spawn(
    process.execPath,
    [
      programOf('wrangler', 'wrangler'),
      'dev',
      '--port',
      String(port),
      '--inspector-port',
      String(await findFreePort()),
    ],
    { cwd: project, env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  cleanUps.push(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  const url = `http://localhost:${port}`;
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`wrangler dev ended:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { url, mcpUrl: `${url}/mcp`, output: () => output };
}

describe('npx wrangler dev', () => {
  it('works without further setup in a fresh clone, with secrets to sign in and a database with its tables', async () => {
    const project = freshClone();
    const dev = await startDev(project);
    expect(dev.output()).toContain('are in .dev.vars (written just now)');
    const vars = readFileSync(join(project, '.dev.vars'), 'utf8');
    expect(statSync(join(project, '.dev.vars')).mode & 0o777).toBe(0o600);
    expect(vars).toMatch(/^OWNER_PASSPHRASE=./m);
    const token = /^LOCAL_ACCESS_TOKEN=(.*)$/m.exec(vars)?.[1] ?? '';

    const client = await connectModern({ mcpUrl: dev.mcpUrl, token });
    const found = await client.call('search', { query: 'anything' });
    expect([found.isError, found.text]).toEqual([false, expect.any(String)]);
    await client.close();
    expect(await (await fetch(`${dev.url}/sign-in`)).text()).toContain('name="passphrase"');

    const version = join(project, 'generated/about.ts');
    writeFileSync(version, readFileSync(version, 'utf8').replace(/'[\d.]+'/, `'9.9.9'`));
    const reloaded = async () => {
      const again = await connectModern({ mcpUrl: dev.mcpUrl, token }).catch(() => null);
      const works = again !== null && !(await again.call('search', { query: 'anything' })).isError;
      await again?.close();
      return works && dev.output().includes('Reloading local server');
    };
    await expect.poll(reloaded, { timeout: 120_000 }).toBe(true);
    expect(readFileSync(join(project, '.dev.vars'), 'utf8')).toBe(vars);
  });
});
