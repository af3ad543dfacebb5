import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, structured } from '#support/mcp-call.ts';

/** Each method of the binding that goes to the database and back. */
const METHODS: readonly [of: object, names: readonly string[]][] = [
  [Object.getPrototypeOf(env.DB), ['batch', 'exec']],
  [Object.getPrototypeOf(env.DB.prepare('SELECT 1')), ['all', 'run', 'first', 'raw']],
];
let trips = 0;
const undo: (() => void)[] = [];

beforeAll(() => {
  for (const [of, names] of METHODS) {
    for (const name of names) {
      const original: (...args: unknown[]) => unknown = Reflect.get(of, name);
      undo.push(() => void Reflect.set(of, name, original));
      Reflect.set(of, name, function (this: unknown, ...args: unknown[]) {
        trips += 1;
        return Reflect.apply(original, this, args);
      });
    }
  }
});
afterAll(() => {
  for (const putBack of undo) putBack();
});

async function tripsOf(
  tool: string,
  args: Record<string, unknown>,
): Promise<[trips: number, page: Record<string, unknown>]> {
  trips = 0;
  const page = structured(await callTool('modern', tool, args));
  return [trips, page];
}

const open = (path: string) => tripsOf('web_open', { url: `https://docs.acme.dev/${path}`, max_age_seconds: 1_000 });

describe('trips to the database', () => {
  it('are six at most for the first page of a site, four for the next one, and two for a page that is stored', async () => {
    const [first, opened] = await open('alarms');
    expect(opened).toMatchObject({ cached: false });
    expect(first).toBeLessThanOrEqual(6);
    const [next] = await open('links');
    expect(next).toBeLessThanOrEqual(4);
    const [again, stored] = await open('alarms');
    expect(stored).toMatchObject({ cached: true });
    expect(again).toBeLessThanOrEqual(2);
  });

  it('are one for a look further down, and one for a search in a page', async () => {
    const [, { cursor }] = await open('alarms');
    expect((await tripsOf('scroll', { cursor, loc: 1 }))[0]).toBe(1);
    expect((await tripsOf('find', { cursor, pattern: 'alarm' }))[0]).toBe(1);
  });

  it('are zero for a call that needs no page', async () => {
    expect((await tripsOf('web_extract', { html: '<p>A page with a sentence.</p>' }))[0]).toBe(0);
  });
});
