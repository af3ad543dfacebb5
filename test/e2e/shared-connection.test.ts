import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sleep } from '#core/flow/abort.ts';
import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';
import { startClockedServer } from '#support/clocked-server.ts';
import { HostMemory } from '#support/oauth-client.ts';
import { allowAsOwner } from '#support/person.ts';
import { programOf, runProgram } from '#support/run-program.ts';
import { scratchHome, startServer } from '#support/server.ts';

/** One connection whose tokens several clients have copied. */

const PASSPHRASE = 'six curlews over the estuary';
const CALLBACK = 'http://localhost:39872/callback';
const INFO = { name: 'periscope-test', version: '1.0.0' };
const INSPECTOR = programOf('@modelcontextprotocol/inspector', 'mcp-inspector');
/** Ten minutes, the grace period, are over several times in them. More with `STORIES=5`. */
const EXPIRIES = 8 * Number(process.env['STORIES'] ?? 1);
/** A client that misses one expiry refreshes within the grace period of ten minutes. */
const ACCESS_MS = 4 * MINUTE_MS;
const HTML = '<p>The ferry runs.</p>';

const grantedTokens = z.object({ access_token: z.string(), refresh_token: z.string() });
type Held = { tokens: z.infer<typeof grantedTokens>; client: { client_id: string } };
/** A client with its own copy. @returns what a tool answered */
type Holder = { kind: string; call: () => Promise<string>; close: () => Promise<void> };

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function homeOfOne(): string {
  const { home, remove } = scratchHome();
  cleanUps.push(remove);
  return home;
}

async function v2(mcpUrl: string, held: Held, mode: 'legacy' | { pin: string }): Promise<Holder> {
  const host = new HostMemory(held);
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  await client.connect(new TransportV2(new URL(mcpUrl), { authProvider: host.provider(CALLBACK) }));
  return {
    kind: `v2 SDK, ${typeof mode === 'string' ? mode : mode.pin}`,
    call: async () => JSON.stringify(await client.callTool({ name: 'web_extract', arguments: { html: HTML } })),
    close: () => client.close(),
  };
}

async function v1(mcpUrl: string, held: Held): Promise<Holder> {
  const host = new HostMemory(held);
  const client = new ClientV1(INFO);
  await client.connect(new TransportV1(new URL(mcpUrl), { authProvider: host.provider(CALLBACK) }));
  return overV1('v1 SDK', client);
}

function overV1(kind: string, client: ClientV1): Holder {
  return {
    kind,
    call: async () => JSON.stringify(await client.callTool({ name: 'web_extract', arguments: { html: HTML } })),
    close: () => client.close(),
  };
}

/** `mcp-remote` with its files in `home`. @param allow opens the page that it asks for; by default, nobody does */
async function bridge(mcpUrl: string, home: string, allow?: (page: string) => Promise<URL>): Promise<Holder> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programOf('mcp-remote', 'mcp-remote'), mcpUrl, '--transport', 'http-only'],
    env: { HOME: home, MCP_REMOTE_CONFIG_DIR: home, PATH: '' },
    stderr: 'pipe',
  });
  let printed = '';
  let isAsked = false;
  transport.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
    const page = /^http:\/\/localhost:\d+\/authorize\?\S+$/m.exec(printed)?.[0];
    if (page === undefined || isAsked) return;
    isAsked = true;
    if (allow !== undefined) void allow(page).then((answer) => fetch(answer));
  });
  const client = new ClientV1(INFO);
  await client.connect(transport, { timeout: 120_000 });
  return overV1('mcp-remote', client);
}

/** The tokens that `mcp-remote` stores in its folder. */
function heldBy(home: string): Held {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const read = (end: string): unknown =>
    JSON.parse(readFileSync(join(home, files.find((name) => name.endsWith(end)) ?? end), 'utf8'));
  return {
    tokens: grantedTokens.parse(read('_tokens.json')),
    client: z.object({ client_id: z.string() }).parse(read('_client_info.json')),
  };
}

/** The Inspector's command line: it refreshes each time it is started, and keeps the outcome in a file. */
function inspector(mcpUrl: string, held: Held): Holder {
  const home = homeOfOne();
  const state = join(home, 'oauth.json');
  writeFileSync(
    state,
    JSON.stringify({ servers: { [mcpUrl]: { tokens: held.tokens, clientInformation: held.client } }, idpSessions: {} }),
  );
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    MCP_INSPECTOR_OAUTH_STATE_PATH: state,
    MCP_INSPECTOR_SECRET_STORE: 'file',
    DO_NOT_TRACK: '1',
  };
  const args = ['--use-stored-auth', '--server-url', mcpUrl, '--transport', 'http', '--format', 'json'];
  const tool = [
    '--method',
    'tools/call',
    '--tool-name',
    'web_extract',
    '--tool-args-json',
    JSON.stringify({ html: HTML }),
  ];
  return {
    kind: 'Inspector',
    call: async () => {
      const { code, stdout, stderr } = await runProgram(INSPECTOR, ['--cli', ...args, ...tool], env);
      return `${code} ${stdout} ${stderr}`;
    },
    close: async () => undefined,
  };
}

/** `mcp-remote` gives up after 20 refreshes within 30 s of its own clock. */
const EXPIRY_TAKES_MS_MIN = 2 * SECOND_MS;

describe('one connection', () => {
  it(
    'serves two clients of each kind at once whenever its access token expires',
    { timeout: EXPIRIES * MINUTE_MS },
    async () => {
      const lifetime = { ACCESS_TOKEN_TTL_SECONDS: String(ACCESS_MS / SECOND_MS) };
      const server = await startClockedServer({ OWNER_PASSPHRASE: PASSPHRASE, ...lifetime });
      cleanUps.push(server.close);
      const [home, copy] = [homeOfOne(), homeOfOne()];
      const first = await bridge(server.mcpUrl, home, (page) => allowAsOwner(page, PASSPHRASE));
      expect(await first.call()).toContain('The ferry runs.');
      cpSync(home, copy, { recursive: true });
      const held = heldBy(home);
      const always = [
        first,
        await bridge(server.mcpUrl, copy),
        ...(await Promise.all([1, 2].map(() => v2(server.mcpUrl, held, { pin: '2026-07-28' })))),
        ...(await Promise.all([1, 2].map(() => v2(server.mcpUrl, held, 'legacy')))),
        ...(await Promise.all([1, 2].map(() => v1(server.mcpUrl, held)))),
      ];
      // A program that starts again for each call connects alone, then another one, then both together. Each misses
      // some rounds.
      const started = [inspector(server.mcpUrl, held), inspector(server.mcpUrl, held)];
      cleanUps.push(...always.map(({ close }) => close));
      for (let n = 0; n < EXPIRIES; n += 1) {
        const paced = sleep(EXPIRY_TAKES_MS_MIN);
        await server.pass(ACCESS_MS + SECOND_MS);
        const turn = n % (started.length + 1);
        const awake = [...always, ...started.filter((_, which) => turn === which || turn === started.length)];
        const answers = await Promise.all(
          awake.map(async ({ kind, call }) => ({ kind, answer: await call().catch(String) })),
        );
        const failed = answers.filter(({ answer }) => !answer.includes('The ferry runs.'));
        expect({ expiry: n, failed }).toEqual({ expiry: n, failed: [] });
        await paced;
      }
    },
  );
});

describe('a server that is killed', () => {
  const HANDS = 16;
  const KILLS = 3;
  /** A busy machine may answer all clients before a kill reaches the server. More kills follow until one has cut some off. */
  const KILLS_MAX = 20;

  it(`leaves each of ${HANDS} clients of one connection with a working token, at least ${KILLS} times`, async () => {
    const server = await startServer({ OWNER_PASSPHRASE: PASSPHRASE });
    cleanUps.push(server.close);
    const home = homeOfOne();
    const first = await bridge(server.mcpUrl, home, (page) => allowAsOwner(page, PASSPHRASE));
    expect(await first.call()).toContain('The ferry runs.');
    await first.close();
    const held = heldBy(home);
    const refresh = async ({ tokens, client }: Held): Promise<Held> => {
      const fields = { grant_type: 'refresh_token', client_id: client.client_id, refresh_token: tokens.refresh_token };
      const answer = await fetch(new URL('/token', server.mcpUrl), {
        method: 'POST',
        body: new URLSearchParams(fields),
      });
      return { client, tokens: grantedTokens.parse(await answer.json()) };
    };
    const works = async ({ tokens }: Held) => {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      return (await fetch(server.mcpUrl, { method: 'POST', headers, body: '{}' })).status !== 401;
    };
    let hands = Array.from({ length: HANDS }, () => held);
    let lost = 0;
    for (let kill = 0; kill < KILLS || (lost === 0 && kill < KILLS_MAX); kill += 1) {
      const asked = hands.map((hand) => refresh(hand));
      const settled = Promise.allSettled(asked);
      // Stops in the middle: some clients have their answer, others never get one.
      await Promise.any(asked);
      await server.killAndRestart();
      const after = await settled;
      lost += after.filter(({ status }) => status === 'rejected').length;
      const present = hands;
      hands = after.map((one, n) => (one.status === 'fulfilled' ? one.value : (present[n] ?? held)));
      hands = await Promise.all(hands.map((hand) => refresh(hand)));
      expect(await Promise.all(hands.map(works))).toEqual(hands.map(() => true));
    }
    expect(lost).toBeGreaterThan(0);
  });
});
