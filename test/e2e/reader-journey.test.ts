import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS, connectModern, connectV1, reconnecting } from '#support/mcp-clients.ts';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';
import { sentence } from '#support/prose.ts';
import { newPerson, newSitePort } from '#support/shared.ts';
import type { Person } from '#support/shared.ts';
import { startSite } from '#support/site.ts';
import type { Site } from '#support/site.ts';

let site: Site;
let person: Person;

beforeAll(async () => {
  [site, person] = await Promise.all([newSitePort().then(startSite), newPerson('reader')]);
});

afterAll(() => site?.close());

async function ok(result: Promise<ToolResult>): Promise<ToolResult> {
  const answer = await result;
  if (answer.isError) throw new Error(answer.text);
  return answer;
}

const cursorOf = ({ structured }: ToolResult): string => String(structured['cursor']);
const textOf = ({ structured }: ToolResult): string => String(structured['text']);

/** The lines that a citation names, through the tool a model has for it. */
async function cited(client: TestClient, citation: { cursor: string; L_start: number; L_end: number }) {
  const { cursor, L_start: start, L_end: end } = citation;
  const lines = textOf(await ok(client.call('scroll', { cursor, loc: start, num_lines: 200 }))).split('\n');
  return lines.slice(0, end - start + 1);
}

describe.each(CLIENTS)('a reader with the $kind', ({ connect }) => {
  let client: TestClient;

  beforeAll(async () => {
    client = await connect(person);
  });
  afterAll(() => client?.close());

  it('sees the five tools of the reader toolset', async () => {
    expect(await client.toolNames()).toEqual(
      expect.arrayContaining(['search', 'open_result', 'open_url', 'scroll', 'find']),
    );
  });

  it('searches, opens a result, scrolls, finds and cites', async () => {
    for (const path of ['/lighthouse', '/ferry', '/bakery']) {
      await ok(client.call('open_url', { url: site.url + path }));
    }
    const results = await ok(client.call('search', { query: 'lighthouse lens rings of glass' }));
    const [best] = results.structured['results'] as { id: number; url: string }[];
    expect(best).toMatchObject({ id: 1, url: `${site.url}/lighthouse` });

    const first = { cursor: cursorOf(results), result_id: 1, num_lines: 20 };
    const there = await ok(client.call('open_result', first));
    expect(textOf(there).split('\n').slice(0, 3).join('\n')).toContain('rings');
    const fromTop = { ...first, loc: 0 };
    const page = await ok(client.call('open_result', fromTop));
    expect(page.structured).toMatchObject({ title: 'How a lighthouse lens works', viewport: { start: 0, end: 19 } });
    expect(cursorOf(page)).not.toBe(cursorOf(results));
    const top = textOf(page).split('\n');
    expect(top).toContain('Augustin Fresnel cut it into rings and kept only the curved part of each.');

    const next = await ok(client.call('scroll', { cursor: cursorOf(page), delta: 20, num_lines: 20 }));
    expect(next.structured['viewport']).toMatchObject({ start: 20 });
    expect([...top, ...textOf(next).split('\n')].join('\n')).toContain('1. Find the light on the chart.');

    const found = await ok(client.call('find', { cursor: cursorOf(page), pattern: 'bath of MERCURY' }));
    const [match] = found.structured['matches'] as { loc: number; preview: string }[];
    const line = match?.loc ?? -1;
    expect(top[line]).toContain('bath of mercury');
    expect(found.text).toContain(`L${line}: `);

    const citation = page.structured['citation'] as { cursor: string; L_start: number; L_end: number };
    expect(page.text).toContain(`【${citation.cursor}†L${citation.L_start}-L${citation.L_end}】`);
    expect(await cited(client, citation)).toEqual(top);
    expect(await cited(client, { cursor: cursorOf(page), L_start: line, L_end: line })).toEqual([top[line]]);
  });

  it('opens another result from the current page, and the first page stays unchanged', async () => {
    const results = await ok(client.call('search', { query: 'bread rye dough ferry bicycles winter', topn: 5 }));
    const urls = (results.structured['results'] as { url: string }[]).map((result) => result.url);
    expect(urls.toSorted()).toEqual([`${site.url}/bakery`, `${site.url}/ferry`]);
    const first = await ok(client.call('open_result', { cursor: cursorOf(results), result_id: 1 }));
    const second = await ok(client.call('open_result', { cursor: cursorOf(first), result_id: 2 }));
    expect(second.structured['url']).toBe(urls[1]);
    const { start } = first.structured['viewport'] as { start: number };
    expect(textOf(await ok(client.call('scroll', { cursor: cursorOf(first), loc: start })))).toBe(textOf(first));
    const beyond = await client.call('open_result', { cursor: cursorOf(second), result_id: 3 });
    expect(beyond.isError).toBe(true);
    expect(beyond.text).toMatch(
      /^Error result_out_of_range: .*\nHint: Call open_result with a result_id from 1 to 2\./,
    );
  });

  it('gets an error in the documented format that names the wrong argument', async () => {
    const refused = await client.call('scroll', { cursor: 'c_nobodyhasthisone', num_lines: 7 });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^Error invalid_argument: num_lines/);
  });
});

describe('a page that changes', () => {
  it('keeps its lines under every cursor given out before', async () => {
    const client = await connectModern(person);
    const first = await ok(client.call('open_url', { url: `${site.url}/changing` }));
    const second = await ok(client.call('open_url', { url: `${site.url}/changing` }));
    expect(textOf(second)).not.toBe(textOf(first));
    expect(textOf(await ok(client.call('scroll', { cursor: cursorOf(first) })))).toBe(textOf(first));
    expect(textOf(await ok(client.call('scroll', { cursor: cursorOf(second) })))).toBe(textOf(second));
    await client.close();
  });

  it('is requested by its ETag, and read again when the ETag has changed', async () => {
    const client = await connectModern(person);
    const url = `${site.url}/edited`;
    const first = await ok(client.call('open_url', { url }));
    const same = await ok(client.call('open_url', { url }));
    expect(textOf(same)).toBe(textOf(first));
    const asked = site.requests.filter((request) => request.path === '/edited').at(-1);
    expect(asked?.headers['if-none-match']).toBe('"edition-1"');

    site.edit('The second edition speaks of a silver sextant.');
    const edited = await ok(client.call('open_url', { url }));
    expect(textOf(edited)).toContain('The second edition speaks of a silver sextant.');
    expect(textOf(await ok(client.call('scroll', { cursor: cursorOf(first) })))).toBe(textOf(first));
    await client.close();
  });
});

describe('a page of 5 MB', () => {
  it('is read to its last line, and searched', async () => {
    const client = await connectModern(person);
    const page = await ok(client.call('open_url', { url: `${site.url}/large.md` }));
    const end = await ok(client.call('scroll', { cursor: cursorOf(page), loc: 10_000_000 }));
    const last = textOf(end).split('\n').at(-1) ?? '';
    const number = Number(/entry (\d+)\.$/.exec(last)?.[1]);
    expect(number).toBeGreaterThan(50_000);
    expect(last).toContain(sentence(number));
    const found = await ok(client.call('find', { cursor: cursorOf(page), pattern: `entry ${number - 1}.` }));
    expect(found.structured['matches']).toHaveLength(1);
    await client.close();
  });
});

describe('a client without a session', () => {
  it('keeps its cursors when it initialises before every call, and shares them with one that never does', async () => {
    const legacy = reconnecting(connectV1, person);
    const modern = await connectModern(person);
    const page = await ok(legacy.call('open_url', { url: `${site.url}/middle`, num_lines: 20 }));
    await ok(legacy.call('scroll', { cursor: cursorOf(page), loc: 100, num_lines: 20 }));
    const on = await ok(legacy.call('scroll', { cursor: cursorOf(page), delta: 20, num_lines: 20 }));
    expect(on.structured['viewport']).toEqual({ start: 120, end: 139 });
    const further = await ok(modern.call('scroll', { cursor: cursorOf(page), delta: 20, num_lines: 20 }));
    expect(further.structured['viewport']).toEqual({ start: 140, end: 159 });
    await modern.close();
  });
});
