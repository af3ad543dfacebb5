import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { logCall, logUnexpected } from '#telemetry/log.ts';

afterEach(() => vi.restoreAllMocks());

describe('an unexpected error', () => {
  it('is logged with its name and the place where it was thrown, but never with its message', () => {
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
    logUnexpected(
      'r1',
      new TypeError('Failed query: select\nparams: 5ecre7,\n    at 5ecre7 (page.js:1:2)\nat 5ecre7:3:4'),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"name":"TypeError"');
    expect(lines[0]).toMatch(/log\.test\.ts:\d+:\d+/);
    expect(lines[0]).not.toContain('5ecre7');
  });
});

describe('an unexpected error in a Durable Object', () => {
  it('leaves the object by its name alone, as the platform logs its message, and is logged with its place', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
    const stub = env.CLIENT.get(env.CLIENT.idFromName('broken list'));
    const cursor = await stub.mintList({ hits: [], lines: ['one'] }, 60_000);
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec(`UPDATE lists SET hits = '5ecre7 of a page'`);
    });
    const error: unknown = await stub.use(cursor, null, 60_000).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SyntaxError);
    const id = /the log has it as ([\w-]{36})$/u.exec(String(error))?.[1] ?? 'none';
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        request_id: id,
        name: 'SyntaxError',
        stack: expect.arrayContaining([expect.any(String)]),
      }),
    ]);
    expect(String(error) + lines.join()).not.toContain('5ecre7');
  });
});

describe('the log line of a call', () => {
  const FACT = {
    ts: '2026-11-21T22:30:00.000Z',
    requestId: 'r1',
    tool: 'open_url',
    ms: 1,
    cacheHit: null,
    status: 'ok',
    errorCode: null,
  } as const;
  const ADDRESS = 'https://docs.acme.dev/done?name=5ecre7#5ecre7';

  async function lineOf(url: string | null, logging: Partial<Parameters<typeof logCall>[1]> = {}) {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    await logCall({ ...FACT, url }, { subject: 'ada', secret: 'of the deployment', wholeUrls: false, ...logging });
    const line = String(log.mock.calls[0]?.[0]);
    log.mockRestore();
    expect(line.includes('5ecre7')).toBe(logging.wholeUrls === true);
    expect(line).not.toContain('ada');
    const fields: Record<string, unknown> = JSON.parse(line);
    return fields;
  }

  it('has the origin of a URL and its hash, which is the same only for the same URL', async () => {
    const line = await lineOf(ADDRESS);
    expect(line).toMatchObject({ origin: 'https://docs.acme.dev', url_hash: expect.stringMatching(/^[0-9a-f]{12}$/u) });
    expect(line).not.toHaveProperty('url');
    const same = (await lineOf(ADDRESS))['url_hash'] === line['url_hash'];
    const other = (await lineOf(`${ADDRESS}8`))['url_hash'] === line['url_hash'];
    const elsewhere = (await lineOf(ADDRESS, { secret: 'of another' }))['url_hash'] === line['url_hash'];
    expect({ same, other, elsewhere }).toEqual({ same: true, other: false, elsewhere: false });
    expect(await lineOf(ADDRESS, { wholeUrls: true })).toMatchObject({ url: ADDRESS, url_hash: line['url_hash'] });
  });

  it('distinguishes users by a hash, which is the same for all calls of one user', async () => {
    const { person } = await lineOf(ADDRESS);
    expect(person).toMatch(/^[0-9a-f]{12}$/u);
    expect((await lineOf(null))['person']).toBe(person);
    expect((await lineOf(null, { subject: 'bob' }))['person']).not.toBe(person);
    expect((await lineOf(null, { secret: 'of another' }))['person']).not.toBe(person);
  });

  it('does not treat a word as an origin, and is written without the secret, too', async () => {
    expect(await lineOf('https://5ecre7/')).toMatchObject({ origin: null });
    expect(await lineOf('http://localhost:3000/')).toMatchObject({ origin: 'http://localhost:3000' });
    expect(await lineOf('periscope:results')).toMatchObject({ origin: 'periscope:' });
    const without = await lineOf(ADDRESS, { secret: null });
    expect(without).toMatchObject({ origin: 'https://docs.acme.dev', url_hash: null, person: null });
  });
});
