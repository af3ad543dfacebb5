import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#auth/people/account.ts';
import { cookieJar } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { createSignInCookies } from '#auth/people/sign-ins.ts';
import { parseConfig } from '#core/config/config.ts';
import { findOrCreateDoor } from '../../../src/doors.ts';
import { ended, followed, nextRound, page, withoutWaiting, write } from '#support/followed.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { Browser, formFields, pageOf, textOf } from '#support/oauth-browser.ts';
import type { Shown } from '#support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '#support/oauth-journey.ts';
import { personRows, signInObject } from '#support/stored-people.ts';

const SITE = 'https://changes-1.acme.dev';
const ISSUER = 'https://login.acme.dev/';
const config = parseConfig({
  ...env,
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'secret',
  ALLOWED_USERS: 'ana@acme.dev',
});
const bindings = { ...env };
const fetchAt = (url: string, init?: RequestInit) =>
  findOrCreateDoor(ORIGIN, config, bindings).fetch(new Request(url, init), createExecutionContext());

let owner: Browser;
let ana: Browser;
let place = '';
const followId = () => place.split('/')[2] ?? '';

async function ofAna(): Promise<Browser> {
  const account: Account = { way: 'oidc', issuer: ISSUER, id: 'sub-ana', emails: ['ana@acme.dev'] };
  const { secret } = await deploymentIdentity(signInObject());
  const kept = createSignInCookies(secret, config, cookieJar(ORIGIN), Date.now, personRows());
  const browser = new Browser(ORIGIN, fetchAt);
  for (const line of await kept.open({ subject: 'u_changes_ana', account })) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    browser.cookies.set(name, value);
  }
  return browser;
}

const see = async (path: string, browser = owner): Promise<Shown> => pageOf(await browser.get(ORIGIN + path));
const formOf = ({ html }: Shown) => formFields(html, '/sign-out').find(([name]) => name === 'form')?.[1] ?? '';

async function act(fields: Record<string, string>, browser = owner, headers = {}): Promise<Shown> {
  const form = formOf(await see('/console/library', browser));
  return pageOf(await browser.post('/console/library', Object.entries({ form, ...fields }), headers));
}

const feedsIn = ({ html }: Shown) => [...textOf(html).matchAll(/\/changes\/feed\/[\w-]+/gu)].map(([path]) => path);
const idsOfFeeds = ({ html }: Shown) => [...html.matchAll(/name="feed" value="([^"]+)"/gu)].map(([, id = '']) => id);
const feed = (path: string, headers = {}) => fetchAt(ORIGIN + path, { headers });
const idsIn = (xml: string) => [...xml.matchAll(/<id>([^<]+)<\/id>/gu)].map(([, id = '']) => id);

beforeAll(async () => {
  const sentence = (price: number) =>
    page('Prices <b>&', `<p>The small plan costs ${price} dollars a month.</p><p>It is for one person.</p>`);
  await write(`${SITE}/prices`, sentence(5));
  await followed({ url: `${SITE}/prices` });
  await write(`${SITE}/prices`, sentence(6));
  await nextRound();
  const row = await env.DB.prepare('SELECT follow, round, key FROM follow_changes WHERE url = ?')
    .bind(`${SITE}/prices`)
    .first<{ follow: string; round: number; key: string }>();
  place = `/changes/${row?.follow}/${row?.round}?page=${encodeURIComponent(row?.key ?? '')}`;
  owner = personsBrowser();
  await owner.submit(pageOf(await owner.get(`${ORIGIN}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
  ana = await ofAna();
});

describe('the page of a change', () => {
  it('shows removed and added blocks, with links to the lines of both, to the user who follows it', async () => {
    const { status, html, headers } = await see(place);
    expect(status).toBe(200);
    expect(html).toMatch(/<del>\s*5\s*<\/del>/u);
    expect(html).toMatch(/<ins>\s*6\s*<\/ins>/u);
    expect(html.match(/href="\/c\/[^"]+\/L\d+/gu)?.length).toBeGreaterThanOrEqual(2);
    expect(html).not.toContain('<b>&');
    expect(headers.get('cache-control')).toBe('no-store');
    const [, cited = ''] = /href="(\/c\/[^"]+\/L\d+[^"]*)"/u.exec(html) ?? [];
    expect(textOf((await see(cited)).html)).toContain('The small plan costs 5 dollars a month.');
  });

  it('shows which row of a table changed, and its columns', async () => {
    const url = 'https://changes-2.acme.dev/kilns';
    const kilns = (price: number) =>
      page(
        'Kilns',
        `<p>Prices hold until the end of the season and include the delivery.</p><table><tr><th>Kiln</th><th>Volume</th><th>Price</th></tr><tr><td>Ember</td><td>40 l</td><td>€ ${price}</td></tr><tr><td>Forge</td><td>80 l</td><td>€ 2450</td></tr></table>`,
      );
    await write(url, kilns(1190));
    await followed({ url });
    await write(url, kilns(1290));
    await nextRound();
    const list = await see('/changes');
    expect(textOf(list.html)).toContain('Ember | 40 l | € 1190 1290');
    const [, path = ''] = /href="(\/changes\/[^"]+kilns)"/u.exec(list.html) ?? [];
    const text = textOf((await see(path)).html);
    expect(text).toContain('Changed: Kilns');
    expect(text).toContain('Columns: Kiln | Volume | Price');
    await callTool('modern', 'follow', { url, every: 0 });
  });

  it('sends a signed-out visitor to the sign-in, and back to it', async () => {
    const browser = personsBrowser();
    const asked = await see(place, browser);
    expect(new URL(asked.url).pathname).toBe('/sign-in');
    expect(asked.html).not.toContain('small plan');
    const back = pageOf(await browser.submit(asked, '/sign-in', { passphrase: PASSPHRASE }));
    expect([back.url, back.status]).toEqual([ORIGIN + place, 200]);
  });

  it('does not exist for another user, or if there was no such change', async () => {
    const theirs = await see(place, ana);
    expect([theirs.status, theirs.html.includes('small plan')]).toEqual([404, false]);
    const [path = '', query = ''] = place.split('?');
    const nowhere = [path, `${path}0?${query}`, `/changes/${followId()}/x?${query}`, `${place}x`, '/changes/l_none/1'];
    for (const one of nowhere) expect([one, (await see(one)).status]).toEqual([one, 404]);
    expect((await see(`/changes/l_none/2?${query}`)).html).toBe((await see(place, ana)).html);
  });
});

describe('a feed', () => {
  it('is created in the console, read without signing in, and gone when its link is withdrawn', async () => {
    const made = await act({ do: 'tell', id: followId() });
    const [path = ''] = feedsIn(made);
    const first = await feed(path);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(first.headers.get('x-robots-tag')).toContain('noindex');
    const xml = await first.text();
    expect(xml).toContain(`href="${ORIGIN}${place.replaceAll('&', '&amp;')}"`);
    const ids = idsIn(xml);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(id).toMatch(/^tag:localhost,2026-01-01:changes\//u);

    // A repeated request gets the same feed. Another change adds an entry and keeps the ids of the others.
    const etag = first.headers.get('etag') ?? '';
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await feed(path, { 'if-none-match': sent });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    await write(
      `${SITE}/prices`,
      page('Prices', '<p>The small plan costs 7 dollars a month.</p><p>It is for one person.</p>'),
    );
    await nextRound();
    const later = await feed(path, { 'if-none-match': etag });
    expect(later.status).toBe(200);
    const now = idsIn(await later.text());
    expect(now).toHaveLength(3);
    expect(now).toEqual(expect.arrayContaining(ids));

    const [hash = ''] = idsOfFeeds(await see('/console/library'));
    await act({ do: 'untell', feed: hash }, ana);
    expect((await feed(path)).status).toBe(200);
    const asked = await act({ do: 'untell', feed: hash, confirm: 'feed' });
    expect(textOf(asked.html)).toContain('Delete the link to this feed?');
    expect((await feed(path)).status).toBe(200);
    await act({ do: 'untell', feed: hash });
    expect([
      (await feed(path)).status,
      (await feed(`${path}x`)).status,
      (await feed('/changes/feed/short')).status,
    ]).toEqual([404, 404, 404]);
  });

  it('shows its link once, and a copy of the database does not reveal it', async () => {
    const made = await act({ do: 'tell all' });
    const [path = ''] = feedsIn(made);
    expect((await feed(path)).status).toBe(200);
    for (const again of [await see('/console/library'), await act({ do: 'tell all' })])
      expect(feedsIn(again)).toEqual([]);
    const { results } = await env.DB.prepare('SELECT * FROM follow_feeds').all();
    expect(results.length).toBeGreaterThan(0);
    expect(JSON.stringify(results)).not.toContain(path.split('/').at(-1));
    for (const value of results.flatMap((row) => Object.values(row)))
      expect((await feed(`/changes/feed/${String(value)}`)).status).toBe(404);
    for (const id of idsOfFeeds(await see('/console/library'))) await act({ do: 'untell', feed: id });
    expect((await feed(path)).status).toBe(404);
  });

  it('of all changes belongs to one user, and ends when they may no longer sign in', async () => {
    const [mine = ''] = feedsIn(await act({ do: 'tell all' }));
    expect(await (await feed(mine)).text()).toContain('small plan');
    const [theirs = ''] = feedsIn(await act({ do: 'tell all' }, ana));
    const text = await (await feed(theirs)).text();
    expect([idsIn(text).length, text.includes('small plan')]).toEqual([1, false]);
    const out = parseConfig({ ...env });
    const answer = await findOrCreateDoor(ORIGIN, out, { ...env }).fetch(
      new Request(ORIGIN + theirs),
      createExecutionContext(),
    );
    expect(answer.status).toBe(404);
    await env.DB.prepare('DELETE FROM people WHERE subject = ?').bind('u_changes_ana').run();
    expect((await feed(theirs)).status).toBe(404);
  });

  it('cannot be created for pages that another user follows', async () => {
    const before = await env.DB.prepare('SELECT count(*) AS n FROM follow_feeds').first('n');
    expect((await act({ do: 'tell', id: followId() }, ana)).status).toBe(409);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM follow_feeds').first('n')).toBe(before);
  });
});

describe('the library in the console', () => {
  const state = () => env.DB.prepare('SELECT round, run, is_shared FROM follows WHERE id = ?').bind(followId()).first();

  it('does nothing for a stranger, another user, another origin, or a forged form', async () => {
    const before = await state();
    const fields = { form: formOf(await see('/console/library')), id: followId() };
    for (const what of ['look', 'end', 'share', 'tell', 'tell all', 'untell']) {
      const all = Object.entries({ ...fields, do: what });
      const stranger = await fetchAt(`${ORIGIN}/console/library`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
        body: new URLSearchParams(all).toString(),
        redirect: 'manual',
      });
      expect([what, stranger.status]).toEqual([what, 403]);
      for (const origin of ['https://evil.acme.dev', 'null', 'http://localhost:1']) {
        expect([what, origin, pageOf(await owner.post('/console/library', all, { origin })).status]).toEqual([
          what,
          origin,
          403,
        ]);
      }
      const forged = Object.entries({ ...fields, form: 'forged', do: what });
      expect([what, pageOf(await owner.post('/console/library', forged)).status]).toEqual([what, 403]);
    }
    for (const what of ['look', 'end', 'share'])
      expect((await act({ do: what, id: followId() }, ana)).status).toBe(409);
    expect(await state()).toEqual(before);
    expect(textOf((await see('/console/library', ana)).html)).not.toContain('changes-1.acme.dev');
  });

  it('shows the followed pages, and how much of the budgets is used', async () => {
    const { html } = await see('/console/library');
    const text = textOf(html);
    expect(html.replaceAll(/<details[^]*?<\/details>/gu, '')).toContain('Last round: ');
    expect(text).toContain(`${SITE}/prices`);
    expect(text).toMatch(/ 1 page (?!: )/u);
    expect(text).toMatch(/Pages reserved: \d+ of 5,000\. Text stored: 0\.\d of 100 MB\./u);
  });

  it('asks before it stops following, and follows until then', async () => {
    expect((await see('/console/library')).html).toContain('name="confirm" value="follow"');
    const asked = await act({ do: 'end', id: followId(), confirm: 'follow' });
    expect(textOf(asked.html)).toContain('Stop following?');
    expect(await state()).not.toBeNull();
  });

  it('starts a round on request, one at a time, and ends', async () => {
    await using rounds = await withoutWaiting();
    const before = await state();
    const shown = await act({ do: 'look', id: followId() });
    expect(shown.status).toBe(200);
    const again = await act({ do: 'look', id: followId() });
    const isUnderWay = textOf(again.html).includes('A round is already under way.');
    await ended(rounds);
    const rows = Number((await state())?.['round']) - Number(before?.['round']);
    // The first round may be over before the second click.
    expect([isUnderWay, rows]).toEqual([again.status === 409, isUnderWay ? 1 : 2]);
    await act({ do: 'end', id: followId() });
    expect(await state()).toBeNull();
    expect(structured(await callTool('modern', 'changes', {}))).toMatchObject({ changes: [] });
    expect((await see(place)).status).toBe(404);
    expect((await act({ do: 'look', id: followId() })).status).toBe(409);
  });
});
