import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { TYPING_DELAY_MS } from '#core/limits.ts';
import { PASSAGES_CONCURRENCY } from '#reading/limits.ts';
import { CLIENTS, connectV1 } from '#support/mcp-clients.ts';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';
import { notifyCancelled, rawCall } from '#support/raw-call.ts';
import type { RawCall, RawEra } from '#support/raw-call.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';
import { startShopSite } from '#support/shop-site.ts';
import type { ShopSite } from '#support/shop-site.ts';

/** Stopping a call stops its effects on the page, whichever way it is stopped. */

const SESSION = 'shop';
const NOTIFIED_MS = 500;
const CLOSED_MS = 2_500;

let site: ShopSite;
let server: TestServer;
let clients: Map<string, TestClient>;
/** Makes the calls around the stopped one. */
let other: TestClient;

beforeAll(async () => {
  site = await startShopSite();
  server = await startServer({
    ALLOWED_PRIVATE_HOSTS: site.host,
    EVALUATE_ENABLED: 'true',
    BUDGET_CALLS_PER_MINUTE: '9999',
  });
  clients = new Map(
    await Promise.all(CLIENTS.map(async ({ kind, connect }) => [kind, await connect(server)] as const)),
  );
  other = clientOf('v2 SDK, 2026-07-28');
});
afterAll(async () => {
  for (const client of clients?.values() ?? []) await client.close();
  await server?.close();
  await site?.close();
});

beforeEach(async () => {
  await done(other, 'browser_navigate', { session: SESSION, url: site.opened() });
});
afterEach(() => site.release());

function clientOf(kind: string): TestClient {
  const client = clients.get(kind);
  if (client === undefined) throw new Error(`no client: ${kind}`);
  return client;
}

/** Calls a tool. @throws when that fails */
async function done(client: TestClient, tool: string, args: Record<string, unknown>): Promise<ToolResult> {
  const result = await client.call(tool, args);
  if (result.isError) throw new Error(result.text);
  return result;
}

/** Begins a call. @returns what stops it */
type Begin = (tool: string, args: Record<string, unknown>) => Promise<() => void>;
type Way = { way: string; begin: Begin; withinMs: number };

function aborting(kind: string): Begin {
  return async (tool, args) => {
    const stopping = new AbortController();
    clientOf(kind)
      .call(tool, args, stopping.signal)
      .catch(() => undefined);
    return () => stopping.abort();
  };
}

function ending(era: RawEra, how: 'reset' | 'close'): Begin {
  return async (tool, args) => (await rawCall(server, era, tool, args))[how];
}

const NOTIFICATION: Way = { way: 'a notification of the v1 SDK', begin: aborting('v1 SDK'), withinMs: NOTIFIED_MS };
const WAYS: readonly Way[] = [
  NOTIFICATION,
  { way: 'a notification of the v2 SDK', begin: aborting('v2 SDK, 2025 era'), withinMs: NOTIFIED_MS },
  { way: 'a request that the v2 SDK closes', begin: aborting('v2 SDK, 2026-07-28'), withinMs: CLOSED_MS },
  { way: 'a reset connection, 2025 era', begin: ending('2025-11-25', 'reset'), withinMs: NOTIFIED_MS },
  { way: 'a reset connection, 2026-07-28', begin: ending('2026-07-28', 'reset'), withinMs: NOTIFIED_MS },
  { way: 'a closed connection, 2025 era', begin: ending('2025-11-25', 'close'), withinMs: CLOSED_MS },
  { way: 'a closed connection, 2026-07-28', begin: ending('2026-07-28', 'close'), withinMs: CLOSED_MS },
];

const logged = z.object({ tool: z.string(), error_code: z.string().nullable() });

/** Ends of the calls of a tool, from the log. */
function endsOf(tool: string): (string | null)[] {
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => {
      const { success, data } = logged.safeParse(JSON.parse(line));
      return success && data.tool === tool ? [data.error_code] : [];
    });
}

const seenByPage = z.object({
  counts: z.record(z.string(), z.number()),
  keys: z.array(z.number()),
  pointer: z.array(z.object({ type: z.string(), at: z.number(), on: z.string(), buttons: z.number() })),
});
type SeenByPage = z.output<typeof seenByPage>;

/** Longer than any bound, also for keys that take no time but the pause after each. */
const SLOW_KEYS = 200;

const POINTER = ['pointermove', 'pointerup', 'mouseup', 'click', 'drop'];
const SEEN = `const of = (types) => seen.filter(({ type }) => types.includes(type));
  const counts = {};
  for (const { type } of seen) counts[type] = (counts[type] ?? 0) + 1;
  const keys = of(['keydown']).map(({ at }) => at).slice(-${SLOW_KEYS});
  return { counts, keys, pointer: of(${JSON.stringify(POINTER)}).slice(-100) }`;

/** Events of the page once every call before this one has ended. */
async function seen(): Promise<SeenByPage> {
  const { structured } = await done(other, 'browser_evaluate', { session: SESSION, script: SEEN });
  return seenByPage.parse(JSON.parse(String(structured['value'])));
}

type Stopped = { tool: string; args: Record<string, unknown>; once: string };

/**
 * Stops a call once the page has seen its first event of a kind, and waits until it has ended.
 * @returns when it was stopped, by the clock that the page has, too
 */
async function stop({ begin }: Way, { tool, args, once }: Stopped): Promise<number> {
  const before = endsOf(tool).length;
  const end = await begin(tool, { session: SESSION, ...args });
  await site.sees(once);
  const at = Date.now();
  end();
  await expect.poll(() => endsOf(tool).slice(before)).toEqual(['cancelled']);
  return at;
}

function count({ counts }: SeenByPage, type: string): number {
  return counts[type] ?? 0;
}

describe.each(WAYS)('a call that is stopped by $way', (way) => {
  it('takes no further step of a list', async () => {
    site.hold();
    const args = { steps: Array.from({ length: 5 }, () => 'click button "Buy"') };
    await stop(way, { tool: 'browser_do', args, once: 'click' });
    site.release();
    const all = await seen();
    expect(count(all, 'click')).toBe(1);
    expect(site.bought()).toBe(1);
  });

  it('does not act after a wait', async () => {
    const args = { steps: ['hover button "Buy"', 'wait text=Ready', 'click button "Buy"'] };
    await stop(way, { tool: 'browser_do', args, once: 'pointermove' });
    site.announce();
    const all = await seen();
    expect(count(all, 'click')).toBe(0);
    expect(site.bought()).toBe(0);
  });

  // Keys with a pause after each are a clock that slows down with the machine, as the stop itself does.
  it(`presses no key once the limit of ${way.withinMs} ms is over`, async () => {
    const args = { selector: 'textbox "Essay"', text: 'x'.repeat(SLOW_KEYS), slowly: true };
    const stoppedAt = await stop(way, { tool: 'browser_type', args, once: 'keydown' });
    const late = (await seen()).keys.filter((at) => at > stoppedAt);
    expect(late.length).toBeLessThanOrEqual(way.withinMs / TYPING_DELAY_MS);
  });

  it('types no further', async () => {
    const args = { selector: 'textbox "Essay"', text: 'one two three '.repeat(300) };
    await stop(way, { tool: 'browser_type', args, once: 'keydown' });
    expect(count(await seen(), 'keydown')).toBeLessThan(args.text.length);
  });
});

const KEYS = 50;
const FIELDS = Array.from({ length: 30 }, (_, at) => `textbox "Field ${at + 1}"`);
const HELD_MS = 5_000;

/**
 * Each tool that acts, with the event that shows that it has begun and would continue. `whole`: the number of these
 * events in a complete call.
 */
const ACTING: readonly (Stopped & { what: string; whole: number })[] = [
  {
    what: 'keys of browser_type',
    tool: 'browser_type',
    args: { selector: 'textbox "Essay"', key: 'a '.repeat(KEYS) },
    once: 'keydown',
    whole: KEYS,
  },
  {
    what: 'fields of browser_fill',
    tool: 'browser_fill',
    args: { selectors: FIELDS, values: FIELDS },
    once: 'input',
    whole: FIELDS.length,
  },
  {
    what: 'turns of the wheel',
    tool: 'browser_do',
    args: { steps: Array.from({ length: 20 }, () => 'scroll down in application "Map"') },
    once: 'wheel',
    whole: 20,
  },
  {
    what: 'a press that browser_click has moved to',
    tool: 'browser_click',
    args: { selector: 'button "Slow"' },
    once: 'pointermove',
    whole: Infinity,
  },
  {
    what: 'a button that browser_point holds',
    tool: 'browser_point',
    args: { action: 'click', selector: 'button "Buy"', hold_ms: HELD_MS },
    once: 'mousedown',
    whole: 2,
  },
  {
    what: 'a drag',
    tool: 'browser_point',
    args: { action: 'drag', selector: '#slider', to_selector: '#end', hold_ms: HELD_MS },
    once: 'mousedown',
    whole: 2,
  },
  {
    what: 'a drag and drop',
    tool: 'browser_point',
    args: { action: 'drag', selector: '#parcel', to_selector: '#shelf', hold_ms: HELD_MS / 5 },
    once: 'dragstart',
    whole: 2,
  },
];

describe('a tool whose call is stopped', () => {
  it.each(ACTING)('does not continue, and releases every button: $what', async ({ whole, ...call }) => {
    site.hold();
    await stop(NOTIFICATION, call);
    site.release();
    await done(other, 'browser_point', { session: SESSION, action: 'hover', selector: 'heading "Shop"' });
    const all = await seen();
    expect(count(all, call.once)).toBeLessThan(whole);
    expect(all.pointer.filter(({ type, on }) => ENDS.has(type) && on !== 'html')).toEqual([]);
    expect(all.pointer.findLast(({ type }) => type === 'pointermove')).toMatchObject({ buttons: 0 });
  });
});

/** They hit nothing but the page itself when a button is released away from everything. */
const ENDS = new Set(['pointerup', 'mouseup', 'click', 'drop']);

describe('a call that is stopped in the queue of its session', () => {
  it.each<{ way: string; era: RawEra; end: (call: RawCall) => unknown }>([
    { way: 'a notification without a session id', era: '2025-11-25', end: () => notifyCancelled(server) },
    { way: 'a reset connection, 2025 era', era: '2025-11-25', end: (call) => call.reset() },
    { way: 'a reset connection, 2026-07-28', era: '2026-07-28', end: (call) => call.reset() },
    { way: 'a closed connection, 2025 era', era: '2025-11-25', end: (call) => call.close() },
    { way: 'a closed connection, 2026-07-28', era: '2026-07-28', end: (call) => call.close() },
  ])('ends at once, and does nothing later: $way', async ({ era, end }) => {
    const steps = ['hover button "Buy"', 'wait text=Ready'];
    const before = done(other, 'browser_do', { session: SESSION, steps });
    await site.sees('pointermove');
    const ends = endsOf('browser_click').length;
    const waits = await rawCall(server, era, 'browser_click', { session: SESSION, selector: 'button "Buy"' });
    await expect.poll(waits.answered).toContain('text/event-stream');
    await end(waits);
    await expect.poll(() => endsOf('browser_click').slice(ends)).toEqual(['cancelled']);
    site.announce();
    await before;
    expect(count(await seen(), 'click')).toBe(0);
    expect(site.bought()).toBe(0);
  });
});

describe('two clients of one user whose requests have the same id', () => {
  it('stop only their own calls', async () => {
    const [stopping, going] = await Promise.all([connectV1(server), connectV1(server)]);
    const url = site.opened();
    for (const [client, session] of [
      [stopping, 'stopping'],
      [going, 'going'],
    ] as const)
      await done(client, 'browser_navigate', { session, url });
    const steps = ['hover button "Buy"', 'wait text=Ready', 'click button "Buy"'];
    const stops = new AbortController();
    const stopped = stopping.call('browser_do', { session: 'stopping', steps }, stops.signal);
    const goes = done(going, 'browser_do', { session: 'going', steps });
    await site.sees('pointermove', 2);
    const ends = endsOf('browser_do').length;
    stops.abort();
    await expect(stopped).rejects.toMatchObject({ name: expect.stringContaining('Error') });
    await expect.poll(() => endsOf('browser_do').slice(ends)).toEqual(['cancelled']);
    site.announce();
    await goes;
    await done(other, 'browser_snapshot', { session: 'stopping' });
    expect(site.bought()).toBe(1);
    for (const session of ['stopping', 'going']) await done(other, 'browser_close', { session });
    await Promise.all([stopping.close(), going.close()]);
  });
});

describe('a stopped call that reads pages', () => {
  const asked = () => site.requests.filter(({ path }) => path.startsWith('/page')).length;

  it.each(
    [NOTIFICATION, ...WAYS.filter(({ withinMs }) => withinMs === CLOSED_MS)].flatMap((way) => [
      { ...way, tool: 'web_batch_open', rest: { concurrency: 1 }, atOnce: 1 },
      { ...way, tool: 'find_passages', rest: { question: 'the tide' }, atOnce: PASSAGES_CONCURRENCY },
    ]),
  )('starts no further page: $tool, $way', async ({ begin, tool, rest, atOnce }) => {
    site.hold();
    const [before, ends] = [asked(), endsOf(tool).length];
    const unread = () => `${site.url}/page?${crypto.randomUUID()}`;
    const urls = Array.from({ length: 10 }, unread);
    const end = await begin(tool, { urls, ...rest });
    await expect.poll(() => asked() - before).toBeGreaterThan(0);
    end();
    await expect.poll(() => endsOf(tool).slice(ends)).toEqual(['cancelled']);
    site.release();
    // Comes after all pages of this site that were begun with: these are read to their end for others who ask.
    await done(other, 'open_url', { url: unread() });
    expect(asked() - before - 1).toBeLessThanOrEqual(atOnce);
  });
});
