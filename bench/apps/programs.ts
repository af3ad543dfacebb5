import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { findFreePort } from '../../scripts/local/port.ts';

/** An application with its own server. */
export type Program = {
  url: string;
  host: string;
  /** The data on its server. */
  state: () => Promise<unknown>;
  /** Restores the initial data. */
  reset: () => Promise<void>;
  stop: () => Promise<void>;
};

const MODULES = join(import.meta.dirname, 'node_modules');

/** Node-RED with one user and an initial flow. */
export async function startNodeRed(home: string): Promise<Program> {
  const folder = join(home, 'node-red');
  mkdirSync(folder);
  const settings = {
    adminAuth: {
      type: 'credentials',
      users: [{ username: 'ada', password: PASSWORD_HASH, permissions: '*' }],
    },
    flowFile: 'flows.json',
    credentialSecret: false,
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false, projects: { enabled: false } },
    logging: { console: { level: 'warn' } },
  };
  writeFileSync(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)};`);
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(FLOW));
  const given = ['--userDir', folder, '--settings', join(folder, 'settings.js'), '-D', 'uiHost=127.0.0.1'];
  const program = await run((port) => [join(MODULES, 'node-red/red.js'), ...given, '--port', String(port)]);
  const call = async (path: string, headers: Record<string, string>, body?: unknown): Promise<unknown> => {
    const post = { method: 'POST', body: JSON.stringify(body) };
    const init = { headers: { 'content-type': 'application/json', ...headers }, ...(body !== undefined && post) };
    const text = await (await fetch(program.url + path, init)).text();
    return text === '' ? null : JSON.parse(text);
  };
  const signedIn = async () => {
    const grant = { grant_type: 'password', scope: '*', client_id: 'node-red-admin' };
    const told = await call('/auth/token', {}, { ...grant, username: 'ada', password: 'kelp-and-tar' });
    return { authorization: `Bearer ${z.object({ access_token: z.string() }).parse(told).access_token}` };
  };
  return {
    ...program,
    state: async () => call('/flows', await signedIn()),
    reset: async () => {
      await call('/flows', { ...(await signedIn()), 'node-red-deployment-type': 'full' }, FLOW);
    },
  };
}

/** Hash of `kelp-and-tar`. */
const PASSWORD_HASH = '$2b$08$D7nFm7sYC.OowaGP5SdYmuBTcal9CGl9W1yTz7RrcIJohhCOiGJ.u';

const FLOW = [
  { id: 'f1', type: 'tab', label: 'Tides' },
  {
    id: 'n1',
    type: 'inject',
    z: 'f1',
    name: 'every hour',
    props: [],
    repeat: '',
    once: false,
    x: 160,
    y: 100,
    wires: [[]],
  },
  {
    id: 'n2',
    type: 'debug',
    z: 'f1',
    name: 'level',
    active: true,
    tosidebar: true,
    complete: 'payload',
    targetType: 'msg',
    x: 460,
    y: 180,
    wires: [],
  },
];

export async function startTiddlyWiki(home: string): Promise<Program> {
  const folder = join(home, 'wiki');
  const program = join(MODULES, 'tiddlywiki/tiddlywiki.js');
  await ended(spawn(process.execPath, [program, folder, '--init', 'server'], { stdio: 'ignore' }));
  const notes = join(folder, 'tiddlers');
  mkdirSync(notes, { recursive: true });
  for (const [title, tags, text] of NOTES) {
    writeFileSync(join(notes, `${title}.tid`), `title: ${title}\ntags: ${tags}\n\n${text}\n`);
  }
  const wiki = await run((port) => [
    program,
    folder,
    '--listen',
    `port=${port}`,
    'host=127.0.0.1',
    'anon-username=ada',
  ]);
  const tiddlers = `${wiki.url}/bags/default/tiddlers/`;
  const state = async () => (await fetch(`${wiki.url}/recipes/default/tiddlers.json?exclude=none`)).json();
  const reset = async () => {
    const listed = z.array(z.object({ title: z.string() })).parse(await state());
    for (const { title } of [...listed, { title: '$:/StoryList' }]) {
      if (NOTES.some(([kept]) => kept === title)) continue;
      await fetch(tiddlers + encodeURIComponent(title), {
        method: 'DELETE',
        headers: { 'x-requested-with': 'TiddlyWiki' },
      });
    }
  };
  return { ...wiki, state, reset };
}

const NOTES = [
  ['Anchorages', 'places', 'Sheltered from the west: Dyvig, Mommark, Ærøskøbing.'],
  ['Fuel stops', 'places', 'Sønderborg sells diesel at pier 4, card only.'],
  ['Winter list', 'work', 'Grease the winches. Empty the tanks.'],
] as const;

async function run(args: (port: number) => string[]): Promise<Omit<Program, 'state' | 'reset'>> {
  const port = await findFreePort();
  const child = spawn(process.execPath, args(port), { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const host = `127.0.0.1:${port}`;
  while (!(await answers(`http://${host}/`))) {
    if (child.exitCode !== null) throw new Error(`It ended before it was ready:\n${output}`);
    await sleep(POLL_MS);
  }
  return {
    url: `http://${host}`,
    host,
    stop: async () => {
      child.kill('SIGTERM');
      await ended(child);
    },
  };
}

const POLL_MS = 100;

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  return response !== null && response.ok;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}
