import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchServer } from '#scripts/local/launch.ts';
import { fillStore } from './search/fill.ts';
import { ATTACKED, ordinaryPage, wordAt } from './search/pages.ts';
import { RpcClient } from './spine/rpc.ts';
import { columns, summarise } from './spine/stats.ts';

/**
 * `npm run bench:search [-- --pages 10000] [--home FOLDER]`: searches of every kind in a store of 100,000 pages, a
 * hundred of which attack the index, while another user sends `ping` and asks the database for a page. The code of the
 * Worker stores the pages, and a running Worker searches them. With `--home`, the folder stays, and is filled only if
 * it is new.
 */

const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const pages = Number(option('pages') ?? 100_000);
const HOSTILE = 100;
const ROUNDS = 15;
/** Time of all searches together; the last round is finished. */
const BUDGET_MS = 120_000;
/** Pause between two calls of the other user. */
const OTHER_EVERY_MS = 20;
/** A key without a page, for a call that asks the database. */
const UNKNOWN = 'f'.repeat(64);

const kept = option('home');
const home = kept ?? mkdtempSync(join(tmpdir(), 'periscope-bench-'));
/** True if an earlier run has filled the folder. */
const isFilled = existsSync(join(home, '.wrangler'));
const settings = { CACHE_MAX_BYTES: '6000000000' };
const QUERIES: readonly (readonly [name: string, query: (round: number) => Record<string, unknown>])[] = [
  ['the attacked word', () => ({ query: ATTACKED })],
  ['the attacked word, 120 times', () => ({ query: `${ATTACKED} `.repeat(120).slice(0, 1_000) })],
  ['a word of nearly every page', () => ({ query: wordAt(0) })],
  ['two words of half the pages', () => ({ query: `${wordAt(3)} ${wordAt(5)}` })],
  ['sixteen frequent words', (round) => ({ query: Array.from({ length: 16 }, (_, n) => wordAt(n + round)).join(' ') })],
  ['a rare word', (round) => ({ query: wordAt(20_000 + round) })],
  ['a rare word among frequent ones', (round) => ({ query: `${wordAt(2)} ${wordAt(9)} ${wordAt(15_000 + round)}` })],
  ['the title of a page', (round) => ({ query: ordinaryPage(round * 61).title })],
  ['a phrase of frequent words', () => ({ query: `"${wordAt(0)} ${wordAt(1)}"` })],
  ['the attacked word as a phrase', () => ({ query: `"${ATTACKED} ${ATTACKED} ${ATTACKED}"` })],
  ['text without spaces', () => ({ query: '全文検索全文検索' })],
  ['stop words', () => ({ query: 'the of and' })],
  ['what nobody has', (round) => ({ query: `zyzzyva${round} quux${round}` })],
  ['the last page of results', () => ({ query: wordAt(1), count: 20, offset: 9 })],
];

const started = performance.now();
try {
  const first = await launchServer({ home, settings });
  await first.stop();
  if (!isFilled) await fillStore(home, pages, HOSTILE);
  const filledS = (performance.now() - started) / 1_000;
  const server = await launchServer({ home, settings });
  const client = new RpcClient(server);
  const other = new RpcClient(server);
  try {
    await client.callTool('web_search', { query: 'warm up' });
    const meanwhile: Meanwhile = { ping: [], read: [] };
    const searches = new Map<string, number[]>();
    const isOver = { now: false };
    const others = keepCalling(other, server, meanwhile, isOver);
    const end = performance.now() + BUDGET_MS;
    for (let round = 0; round < ROUNDS && (round < 2 || performance.now() < end); round += 1) {
      for (const [name, query] of QUERIES) {
        const before = performance.now();
        await client.callTool('web_search', query(round));
        searches.set(name, [...(searches.get(name) ?? []), performance.now() - before]);
      }
    }
    isOver.now = true;
    await others;
    const all = [...searches.values()].flat();
    const rows: [string, number[]][] = [
      ...searches,
      ['every search', all],
      ['meanwhile: ping', meanwhile.ping],
      ['meanwhile: cache_get', meanwhile.read],
    ];
    console.log(
      `${pages} pages, ${HOSTILE} of them hostile${isFilled ? '' : `, stored in ${filledS.toFixed(0)} s`}; milliseconds\n`,
    );
    console.log(
      columns([
        ['query', 'calls', 'p50', 'p95', 'max'],
        ...rows.map(([name, latencies]) => {
          const { count, p50, p95, max } = summarise(latencies);
          return [name, ...[count, p50, p95, max].map(String)];
        }),
      ]),
    );
  } finally {
    client.close();
    other.close();
    await server.stop();
  }
} finally {
  if (kept === undefined) rmSync(home, { recursive: true, force: true });
}

type Meanwhile = { ping: number[]; read: number[] };

/** Another user who calls, by turns, the protocol's `ping` and a tool that asks the database for a page. */
async function keepCalling(
  by: RpcClient,
  server: { mcpUrl: string; token: string },
  meanwhile: Meanwhile,
  isOver: { now: boolean },
): Promise<void> {
  const timed = async (latencies: number[], call: () => Promise<unknown>) => {
    const before = performance.now();
    await call();
    latencies.push(performance.now() - before);
  };
  while (!isOver.now) {
    await timed(meanwhile.ping, () => ping(server));
    await timed(meanwhile.read, () => by.post('tools/call', { name: 'cache_get', arguments: { snapshot: UNKNOWN } }));
    await new Promise((resolve) => setTimeout(resolve, OTHER_EVERY_MS));
  }
}

/** Only the earlier protocol era has `ping`. */
async function ping({ mcpUrl, token }: { mcpUrl: string; token: string }): Promise<void> {
  const answer = await fetch(mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await answer.text();
  if (!answer.ok) throw new Error(`ping: HTTP ${answer.status}`);
}
