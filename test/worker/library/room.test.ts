import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { asked, ended, followed, nextRound, page, withoutWaiting, write } from '#support/followed.ts';
import { callTool } from '#support/mcp-call.ts';

const SCOPES = ['web:read', 'library:follow'] as const;
const words = (text: string) => `<p>${text} And it goes on for a while, as pages do.</p>`;
const links = (paths: readonly string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');

async function follow(
  url: string,
  token: string,
  more: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { result } = await callTool('modern', 'follow', { url, ...more }, { token });
  return JSON.parse(JSON.stringify(result?.structuredContent));
}

/** Sets the size of the stored text of followed pages. */
async function isAsLongAs(bytes: number, site: string): Promise<void> {
  await env.DB.prepare(
    `UPDATE documents SET byte_count = ${bytes} WHERE id IN (SELECT document_id FROM follow_pages WHERE url LIKE '${site}%')`,
  ).run();
}

describe('the stored text of followed pages', () => {
  it('has a budget per user: beyond it nothing more is followed or read, and the answers report this', async () => {
    const site = 'https://room-1.acme.dev';
    const token = await grantFor('full', SCOPES);
    await write(`${site}/one`, page('One', words('The first.')));
    await write(`${site}/two`, page('Two', words('The second.')));
    await followed({ url: `${site}/one` }, { token });
    await isAsLongAs(100_000_000, site);
    expect(await follow(`${site}/two`, token)).toMatchObject({
      error: 'follow_limit',
      limit: 100_000_000,
      hint: expect.stringContaining('FOLLOW_BYTES_PER_PERSON'),
    });
    expect(await asked(site)).not.toContain('/two');
    const before = (await asked(site)).length;
    await nextRound();
    expect(await asked(site)).toHaveLength(before);
    const state = await follow(`${site}/one`, token);
    expect(state).toMatchObject({ notes: [expect.stringContaining('1 page could not be read in the last round')] });
    await followed({ url: `${site}/two` }, { token: await grantFor('roomy', SCOPES) });
    await isAsLongAs(1_000, site);
  });

  it('has a budget for all users together', async () => {
    const site = 'https://room-2.acme.dev';
    const [one, other] = await Promise.all([grantFor('much', SCOPES), grantFor('little', SCOPES)]);
    await write(`${site}/one`, page('One', words('The first.')));
    await write(`${site}/two`, page('Two', words('The second.')));
    await followed({ url: `${site}/one` }, { token: one });
    await isAsLongAs(250_000_000, site);
    expect(await follow(`${site}/two`, other)).toMatchObject({
      error: 'follow_limit',
      hint: expect.stringContaining('FOLLOW_BYTES_TOTAL'),
    });
    const before = (await asked(site)).length;
    await nextRound();
    expect(await asked(site)).toHaveLength(before);
    await isAsLongAs(1_000, site);
  });

  it('is released when its pages are no longer followed', async () => {
    const site = 'https://room-3.acme.dev';
    const token = await grantFor('frees', SCOPES);
    await write(`${site}/one`, page('One', words('The first.')));
    await write(`${site}/two`, page('Two', words('The second.')));
    await followed({ url: `${site}/one` }, { token });
    await isAsLongAs(100_000_000, site);
    expect(await follow(`${site}/two`, token)).toMatchObject({ error: 'follow_limit' });
    await follow(`${site}/one`, token, { every: 0 });
    expect(await followed({ url: `${site}/two` }, { token })).toMatchObject({ state: 'begun' });
  });
});

describe('pages beyond max_pages', () => {
  it('are counted, each once, and not read', async () => {
    const site = 'https://room-4.acme.dev';
    const token = await grantFor('counts', SCOPES);
    const paths = ['/d/a', '/d/b', '/d/c', '/d/d', '/d/e'];
    await write(`${site}/d/`, page('All', words('The pages:') + links(paths.slice(0, 3))));
    for (const path of paths) await write(site + path, page(path, words(`Of ${path}.`) + links(paths)));
    await followed({ url: `${site}/d/`, scope: 'site', max_pages: 3 }, { token });
    const state = await follow(`${site}/d/`, token, { scope: 'site', max_pages: 3 });
    expect(state).toMatchObject({
      pages: { found: 3, read: 3 },
      left_out: [{ what: 'come after the first 3', count: 3 }],
      notes: [expect.stringContaining('at least 3 more were found')],
    });
    expect(new Set((await asked(site)).filter((path) => paths.includes(path))).size).toBe(2);
  });
});

describe('a user who may no longer sign in', () => {
  it('follows nothing from the middle of a round on', async () => {
    const site = 'https://room-5.acme.dev';
    const token = await grantFor('leaves', SCOPES);
    await write(`${site}/d/`, page('All', words('The pages:') + links(['/d/a', '/d/b'])));
    for (const path of ['/d/a', '/d/b']) await write(site + path, page(path, words(`Of ${path}.`)));
    await followed({ url: `${site}/d/`, scope: 'site', max_pages: 5 }, { token });
    const found = env.DB.prepare('SELECT * FROM follows WHERE url = ?').bind(`${site}/d/`);
    const row = await found.first();
    const id = String(row?.['id']);
    await env.DB.batch([
      env.DB.prepare("UPDATE follows SET round = 2, run = id || '-2' WHERE id = ?").bind(id),
      env.DB.prepare(
        'INSERT OR REPLACE INTO people (subject, account, last_seen_at) VALUES (?, \'{"way":"github","id":"7","login":"gone","emails":[]}\', 0)',
      ).bind(row?.['subject']),
    ]);
    const before = (await asked(site)).length;
    await using rounds = await withoutWaiting();
    // Its first step ran earlier, when the user could still sign in.
    const begun = { ...row, everyHours: 24, pagesMax: 5, varying: [], round: 2, contains: null };
    await rounds.modifyAll((one) => one.mockStepResult({ name: 'begin' }, begun));
    await env.FOLLOW.create({ id: `${id}-2`, params: { follow: id, round: 2, origin: 'http://localhost' } });
    await ended(rounds);
    expect((await asked(site)).slice(before).filter((path) => path.startsWith('/d/a'))).toEqual([]);
    expect(await found.first()).toBeNull();
    expect(await env.DB.prepare('SELECT count(*) AS n FROM follow_pages WHERE follow = ?').bind(id).first('n')).toBe(0);
  });
});

describe('blocked pages of a site', () => {
  it('are reported as closed with the reason, and the others are read', async () => {
    const site = 'https://room-6.acme.dev';
    const token = await grantFor('reads', SCOPES);
    await write(`${site}/robots.txt`, {
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: *\nDisallow: /d/closed',
    });
    await write(
      `${site}/d/`,
      page('All', words('The pages:') + links(['/d/open', '/d/mine', '/d/in', '/d/closed', '/d/inside'])),
    );
    await write(`${site}/d/open`, page('Open', words('For all.')));
    await write(`${site}/d/mine`, { headers: { 'cache-control': 'private' }, body: page('Mine', words('For one.')) });
    await write(`${site}/d/in`, { status: 401, body: page('Sign in', words('Members only.')) });
    await write(`${site}/d/closed`, page('Closed', words('Not for programs.')));
    await write(`${site}/d/inside`, { status: 302, headers: { location: 'http://10.1.2.3/' }, body: '' });
    await followed({ url: `${site}/d/`, scope: 'site', max_pages: 10 }, { token });
    const rows = await env.DB.prepare(
      `SELECT url, state, problem FROM follow_pages WHERE url LIKE '${site}%' ORDER BY url`,
    ).all<{ url: string; state: string; problem: string | null }>();
    expect(rows.results.map(({ url, state }) => `${state} ${new URL(url).pathname}`)).toEqual([
      'stored /d/',
      'closed /d/closed',
      'closed /d/in',
      'closed /d/inside',
      'closed /d/mine',
      'stored /d/open',
    ]);
    for (const { state, problem } of rows.results) expect(problem === null).toBe(state === 'stored');
    expect(await asked(site)).not.toContain('/d/closed');
  });
});
