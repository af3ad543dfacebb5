import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { asked, ended, followed, nextRound, page, takeAway, withoutWaiting, write } from '#support/followed.ts';
import { callTool, structured } from '#support/mcp-call.ts';

const SCOPES = ['web:read', 'library:follow'] as const;
const words = (text: string) => `<p>${text} And it goes on for a while, as pages do.</p>`;

type Told = { kind: string; url: string; why?: string }[];
const told = async (token?: string): Promise<Told> => {
  const answer = structured(await callTool('modern', 'changes', {}, token === undefined ? {} : { token }));
  return JSON.parse(JSON.stringify(answer['changes']));
};
const refused = async (args: Record<string, unknown>, token?: string) => {
  const { result } = await callTool('modern', 'follow', args, token === undefined ? {} : { token });
  return result?.structuredContent;
};

describe('following a page', () => {
  it('is refused by name for non-public pages', async () => {
    const site = 'https://rounds-1.acme.dev';
    await write(`${site}/mine`, { headers: { 'cache-control': 'private' }, body: page('Mine', words('For one.')) });
    await write(`${site}/members`, { status: 401, body: 'Sign in.' });
    await write(`${site}/unlisted`, { headers: { 'x-robots-tag': 'noindex' }, body: page('No', words('Hidden.')) });
    expect(await refused({ url: `${site}/mine` })).toMatchObject({ error: 'not_followed' });
    expect(await refused({ url: `${site}/members` })).toMatchObject({ error: 'challenge_page', status_code: 401 });
    expect(await refused({ url: `${site}/unlisted` })).toMatchObject({ error: 'not_followed' });
    expect(await refused({ url: 'http://10.1.2.3/' })).toMatchObject({
      error: 'ssrf_blocked',
      hint: expect.stringContaining('Use a public URL'),
    });
    expect(await refused({ url: `https://user:word@rounds-1.acme.dev/mine` })).toMatchObject({
      error: 'ssrf_blocked',
      hint: expect.stringMatching(/^Remove the user name and password/u),
    });
    expect(await refused({ url: 'https://signals.acme.dev/closed' })).toMatchObject({ error: 'not_followed' });
  });

  it('is reported with the title inside a fence, and with counts in words', async () => {
    const site = 'https://rounds-1.acme.dev';
    await write(`${site}/rules`, page('Harbour rules', words('Boats wait.')));
    const { result } = await callTool('modern', 'follow', { url: `${site}/rules` });
    const text = result?.content?.[0]?.text ?? '';
    expect(text).toMatch(/\nTitle: ⟦([0-9a-f]{16}) Harbour rules \1⟧\n/u);
    expect(text).toContain('this may use 1 page.');
  });

  it('needs a separate permission', async () => {
    const token = await grantFor('follows-nothing', ['web:read']);
    const answer = await callTool('modern', 'follow', { url: 'https://docs.acme.dev/alarms' }, { token });
    expect(JSON.stringify(answer)).toContain('library:follow');
  });

  it('includes the pages that its links lead to, each once, and none outside the prefix', async () => {
    const site = 'https://rounds-2.acme.dev';
    const links = '<a href="/docs/a">A</a> <a href="/docs/a#part">A again</a> <a href="/other">Other</a>';
    await write(`${site}/docs/`, page('All', words('The pages:') + links));
    await write(`${site}/docs/a`, page('A', `${words('Of aardvarks.')}<a href="/docs/b">B</a>`));
    await write(`${site}/docs/b`, page('B', `${words('Of badgers.')}<a href="/docs/a">A</a>`));
    await write(`${site}/other`, page('Other', words('Of otters.')));
    await followed({ url: `${site}/docs/`, scope: 'site' });
    const again = structured(await callTool('modern', 'follow', { url: `${site}/docs/`, scope: 'site' }));
    expect(again).toMatchObject({ state: 'up_to_date', pages: { found: 3, read: 3 } });
    expect(await asked(site)).not.toContain('/other');
  });

  it('reports a page as gone when it was missing twice in a row, and its document can still be cited', async () => {
    const site = 'https://rounds-3.acme.dev';
    await write(`${site}/away`, page('Away', words('It was here.')));
    await followed({ url: `${site}/away` });
    await takeAway(`${site}/away`);
    await nextRound();
    expect((await told()).filter(({ url }) => url.startsWith(site))).toEqual([]);
    await nextRound();
    await nextRound();
    const [gone, ...others] = (await told()).filter(({ url }) => url.startsWith(site));
    expect(gone).toMatchObject({ kind: 'gone' });
    expect(others).toEqual([]);
    const { before } = JSON.parse(JSON.stringify(gone));
    expect(structured(await callTool('modern', 'scroll', { cursor: before, loc: 0 }))).toMatchObject({
      text: expect.stringContaining('It was here.'),
    });
  });

  it('writes nothing for a page that its site confirms as unchanged', async () => {
    const site = 'https://rounds-4.acme.dev';
    await write(`${site}/same`, { headers: { etag: '"one"' }, body: page('Same', words('As ever.')) });
    await followed({ url: `${site}/same` });
    const state = async () => {
      const rows = await env.DB.batch<Record<string, unknown>>([
        env.DB.prepare(`SELECT * FROM snapshots WHERE url = '${site}/same'`),
        env.DB.prepare(`SELECT * FROM follow_pages WHERE url = '${site}/same'`),
        env.DB.prepare(
          `SELECT held_until FROM documents WHERE id IN (SELECT document_id FROM follow_pages WHERE url = '${site}/same')`,
        ),
      ]);
      return rows.map(({ results }) => results);
    };
    const before = await state();
    await nextRound();
    expect(await state()).toEqual(before);
    expect((await asked(site)).filter((path) => path === '/same').length).toBeGreaterThan(1);
  });

  it('is private: others see neither follows nor changes, and may follow the same page', async () => {
    const site = 'https://rounds-5.acme.dev';
    const [ana, ben] = await Promise.all([grantFor('ana', SCOPES), grantFor('ben', SCOPES)]);
    await write(`${site}/one`, page('One', words('The first edition.')));
    await followed({ url: `${site}/one` }, { token: ana });
    await write(`${site}/one`, page('One', words('The second edition.')));
    await nextRound();
    expect(await told(ana)).toHaveLength(1);
    expect(await told(ben)).toEqual([]);
    const theirs = await callTool('modern', 'changes', { library: `${site}/one` }, { token: ben });
    expect(theirs.result?.structuredContent).toMatchObject({
      error: 'unknown_library',
      libraries: [],
      // Both `changes` and `find_passages` give this hint.
      hint: 'No page or site is followed yet, so omit library.',
    });
    const inIt = { question: 'second edition', library: 'all' };
    const searched = await callTool('modern', 'find_passages', inIt, { token: ben });
    expect(searched.result?.structuredContent).toMatchObject({ error: 'unknown_library' });
    const begun = await followed({ url: `${site}/one` }, { token: ben });
    expect(begun).toMatchObject({ state: 'begun', budget: { taken: 1 } });
  });

  it('ends with every: 0, and a second call reports that it had ended', async () => {
    const site = 'https://rounds-6.acme.dev';
    await write(`${site}/end`, page('End', words('Soon over.')));
    await followed({ url: `${site}/end` });
    const end = { url: `${site}/end`, every: 0 };
    expect(structured(await callTool('modern', 'follow', end))).toMatchObject({ state: 'ended' });
    expect(structured(await callTool('modern', 'follow', end))).toMatchObject({ state: 'not_followed' });
    const left = await env.DB.prepare(`SELECT count(*) AS n FROM follow_pages WHERE url LIKE '${site}%'`).first('n');
    expect(left).toBe(0);
  });

  it('continues with a round whose instance was never created', async () => {
    const site = 'https://library-1.acme.dev';
    await write(`${site}/lost`, page('Lost', words('Found again.')));
    await followed({ url: `${site}/lost` });
    await env.DB.prepare(
      `UPDATE follows SET round = 2, run = id || '-2', started_at = 0, next_at = 4e12 WHERE url = '${site}/lost'`,
    ).run();
    await using rounds = await withoutWaiting();
    const { runHourly } = await import('../../../src/scheduled.ts');
    const { createScheduledController } = await import('cloudflare:test');
    await runHourly(createScheduledController(), env);
    await ended(rounds);
    const state = structured(await callTool('modern', 'follow', { url: `${site}/lost` }));
    expect(state).toMatchObject({ state: 'up_to_date' });
  });
});

describe('a library', () => {
  it('has the version of a page that was opened last, also between two rounds', async () => {
    const site = 'https://library-4.acme.dev';
    const token = await grantFor('between', SCOPES);
    await write(`${site}/d/`, page('Locks', words('The lock is taken with acquire.')));
    await followed({ url: `${site}/d/`, scope: 'site' }, { token });
    await write(`${site}/d/`, page('Locks', words('The lock is taken with seize.')));
    await callTool('modern', 'open_url', { url: `${site}/d/` }, { token: await grantFor('opens', SCOPES) });
    const inIt = { question: 'How is the lock taken?', library: `${site}/d/` };
    expect(structured(await callTool('modern', 'find_passages', inIt, { token }))).toMatchObject({
      passages: [{ url: `${site}/d/`, text: expect.stringContaining('seize') }],
    });
  });

  it('is searched alone on request, and the answer names it', async () => {
    const site = 'https://library-2.acme.dev';
    await write(`${site}/v1/`, page('Version 1', words('The lock is taken with acquire, in version one.')));
    await write(`${site}/v2/`, page('Version 2', words('The lock is taken with hold, in version two.')));
    await followed({ url: `${site}/v1/`, scope: 'site', max_pages: 5 });
    await followed({ url: `${site}/v2/`, scope: 'site', max_pages: 5 });
    const found = structured(
      await callTool('modern', 'find_passages', { question: 'How is the lock taken?', library: `${site}/v2/` }),
    );
    expect(found).toMatchObject({
      passages: [{ url: `${site}/v2/`, text: expect.stringContaining('hold') }],
      notes: [`Searched: ${site}/v2/.`],
    });
    const both = structured(await callTool('modern', 'find_passages', { question: 'lock taken', library: 'all' }));
    expect(both['passages']).toHaveLength(2);
  });
});
