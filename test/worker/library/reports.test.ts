import { env } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { readSealingSecret } from '#core/secrets/sealed.ts';
import { toHex } from '#core/text/text.ts';
import { reportChanges } from '#library/feed/report-changes.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { openDb } from '#storage/db.ts';
import { ReportStore } from '#storage/library/changes.ts';
import { findOrCreateDoor } from '../../../src/doors.ts';
import { followed, nextRound, page, posted, write } from '#support/followed.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { formFields, pageOf, textOf } from '#support/oauth-browser.ts';
import type { Browser, Shown } from '#support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '#support/oauth-journey.ts';

const SITE = 'https://reports-1.acme.dev';
const HOOK = 'https://reports-2.acme.dev';
const config = parseConfig({ ...env });

let owner: Browser;
const see = async (path: string): Promise<Shown> => pageOf(await owner.get(ORIGIN + path));

async function act(fields: Record<string, string>): Promise<Shown> {
  const { html } = await see('/changes');
  const form = formFields(html, '/sign-out').find(([name]) => name === 'form')?.[1] ?? '';
  return pageOf(await owner.post('/changes', Object.entries({ form, ...fields })));
}

type Message = {
  id: string;
  text: string;
  changes: { id: string; kind: string; url: string; link: string; summary?: string }[];
};

async function messages(path: string): Promise<Message[]> {
  return (await posted(HOOK)).filter((one) => one.path === path).map(({ body }) => JSON.parse(body));
}

let price = 5;
/** Changes the page, and waits for the end of the round that finds it. */
async function changed(): Promise<void> {
  price += 1;
  await write(
    `${SITE}/prices`,
    page('Prices', `<p>The small plan costs ${price} dollars a month, for one person.</p>`),
  );
  await nextRound();
}

async function signature(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return `v1=${toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))}`;
}

const setDue = () => env.DB.prepare('UPDATE change_reports SET next_at = 0').run();

beforeAll(async () => {
  owner = personsBrowser();
  await owner.submit(pageOf(await owner.get(`${ORIGIN}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
  await write(
    `${SITE}/prices`,
    page('Prices', `<p>The small plan costs ${price} dollars a month, for one person.</p>`),
  );
  await followed({ url: `${SITE}/prices` });
  for (const path of ['/each', '/daily', '/down']) await write(HOOK + path, 'ok');
});

afterEach(() => act({ do: 'unreport' }));

describe('the webhook for changes', () => {
  it('receives each change when a round ends, signed, with a stable id and a link that shows it', async () => {
    await changed();
    const saved = await act({ url: `${HOOK}/each`, every: 'round' });
    expect(await messages('/each')).toEqual([]);
    await changed();
    const [message, ...others] = await messages('/each');
    expect(others).toEqual([]);
    expect(message?.text).toMatch(/^One page changed in what you follow:\n• Changed: `Prices` http/u);
    const [change] = message?.changes ?? [];
    expect(change).toMatchObject({
      id: expect.stringMatching(/^tag:localhost,2026-01-01:changes\//u),
      kind: 'changed',
      url: `${SITE}/prices`,
      summary: expect.stringContaining(`[+ ${price} +]`),
    });
    expect((await see((change?.link ?? '').slice(ORIGIN.length))).html).toContain(`<ins>${price}`);
    const [sent] = await posted(HOOK);
    const key = /Copy the key.*?([\w-]{32})/su.exec(textOf(saved.html))?.[1] ?? '';
    const stamp = sent?.headers['x-periscope-timestamp'] ?? '';
    expect(sent?.headers['x-periscope-signature']).toBe(await signature(key, `${stamp}.${sent?.body}`));
    // A round without changes sends nothing.
    await nextRound();
    expect(await messages('/each')).toHaveLength(1);
  });

  it('receives the changes of a day in one message', async () => {
    await act({ url: `${HOOK}/daily`, every: 'day' });
    await changed();
    await changed();
    await changed();
    const ofDay = await messages('/daily');
    expect(ofDay.map(({ changes }) => changes.length)).toEqual([1]);
    await setDue();
    await nextRound();
    expect((await messages('/daily')).map(({ changes }) => changes.length)).toEqual([1, 2]);
  });

  it('receives failed messages again with the same ids, and its page shows why they failed', async () => {
    await act({ url: `${HOOK}/down`, every: 'round' });
    await write(`${HOOK}/down`, { status: 500, body: 'no' });
    await changed();
    expect(textOf((await see('/changes')).html)).toContain('the address answered with status 500');
    await nextRound();
    expect(await messages('/down')).toHaveLength(1);
    await write(`${HOOK}/down`, 'ok');
    await setDue();
    await nextRound();
    const [first, again, ...more] = await messages('/down');
    expect([again?.id, again?.changes, more]).toEqual([first?.id, first?.changes, []]);
    expect(textOf((await see('/changes')).html)).not.toContain('The last try failed');
  });

  it('stays as the user sets it while a message is on its way to the earlier address', async () => {
    await act({ url: `${HOOK}/each`, every: 'day' });
    await env.DB.prepare('UPDATE change_reports SET next_at = ?')
      .bind(Date.now() + 3_600_000)
      .run();
    await changed();
    await setDue();
    const stored = () => env.DB.prepare('SELECT subject, hex(target), next_at, sent_at FROM change_reports').first();
    const replaced: unknown[] = [];
    await reportChanges(String((await stored())?.['subject']), {
      reports: new ReportStore(openDb(env.DB)),
      sealing: readSealingSecret(config),
      net: {
        policy: netPolicy(config, []),
        resolve: async () => ['1.1.1.1'],
        now: Date.now,
        fetch: async () => {
          await act({ url: `${HOOK}/other`, every: 'day' });
          replaced.push(await stored());
          return new Response('ok');
        },
      },
      now: Date.now,
      isAdmitted: async () => true,
      logOutcome: () => undefined,
    });
    expect(replaced).toEqual([await stored()]);
  });

  it.each(['ftp://example.org/', 'no address', 'javascript:alert(1)'])('refuses URLs such as %s', async (url) => {
    const answer = await act({ url, every: 'round' });
    expect([answer.status, textOf(answer.html).includes('Enter an address that begins with https://')]).toEqual([
      400,
      true,
    ]);
  });

  it('does not connect to a private address', async () => {
    await act({ url: 'http://169.254.169.254/latest', every: 'round' });
    expect(textOf((await act({ do: 'test' })).html)).toContain('the address is not public');
  });

  it('is stored encrypted, and shows its key once', async () => {
    await act({ url: `${HOOK}/each?token=s3cret-of-the-hook`, every: 'round' });
    const { results } = await env.DB.prepare('SELECT * FROM change_reports').all();
    expect(results).toHaveLength(1);
    expect(new TextDecoder().decode(Uint8Array.from(JSON.parse(JSON.stringify(results[0]?.['target']))))).not.toContain(
      's3cret',
    );
    expect((await see('/changes')).html).not.toContain('Copy the key');
  });

  it('cannot be set by a stranger', async () => {
    const answer = await findOrCreateDoor(ORIGIN, config, { ...env }).fetch(
      new Request(`${ORIGIN}/changes`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
        body: new URLSearchParams({ url: `${HOOK}/each`, every: 'round' }).toString(),
      }),
      createExecutionContext(),
    );
    expect(answer.status).toBe(403);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM change_reports').first('n')).toBe(0);
  });
});

describe('the list of changes', () => {
  it('has each change with its kind and words, and links to its page, to newer and to older ones', async () => {
    await changed();
    const list = await see('/changes');
    expect(list.html).toMatch(new RegExp(`<ins>\\s*${price}\\s*</ins>`, 'u'));
    expect(list.html).toMatch(/<del>\s*\d+\s*<\/del>/u);
    const [first = '', second = ''] = [...list.html.matchAll(/href="(\/changes\/[^"]+)"/gu)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    const newest = await see(first);
    expect(newest.html).toContain('All changes');
    expect(newest.html).toContain('Older change');
    expect(newest.html).not.toContain('Newer change');
    const older = await see(second);
    expect(older.html).toContain('Newer change');
    const [, back = ''] = /href="([^"]+)">Newer change/u.exec(older.html) ?? [];
    expect(back.replaceAll('&amp;', '&')).toBe(first);
  });
});

describe('a change that several follows of a user find', () => {
  const TWICE = `${SITE}/twice/`;
  const prices = (cost: number) =>
    page('Twice', `<p>The large plan costs ${cost} dollars a month.</p><p>A second user costs ${cost * 2} more.</p>`);
  const paths = ({ html }: Shown) =>
    [...html.matchAll(/href="\/changes\/[^"]+"><bdi>(Twice)/gu)].map(([, name = '']) => name);

  it('is listed, reported and fed once, and is listed for each follow', async () => {
    await write(TWICE, prices(11));
    await followed({ url: TWICE });
    await followed({ url: TWICE, scope: 'site', max_pages: 3 });
    await act({ url: `${HOOK}/once`, every: 'round' });
    await write(`${HOOK}/once`, 'ok');
    await write(TWICE, prices(12));
    await nextRound();
    await nextRound();
    expect(await env.DB.prepare(`SELECT count(*) AS n FROM follow_changes WHERE url = ?`).bind(TWICE).first('n')).toBe(
      2,
    );
    const list = await see('/changes');
    expect(paths(list)).toEqual(['Twice']);
    const sent = (await messages('/once')).flatMap(({ changes }) => changes.map(({ url }) => url));
    expect(sent).toEqual([TWICE]);
    const { changes: told } = structured(await callTool('modern', 'changes', { since: '2020-01-01' }));
    expect((told as { url: string }[]).filter(({ url }) => url === TWICE)).toHaveLength(1);
    const follows = await env.DB.prepare(`SELECT id FROM follows WHERE url LIKE ?`).bind(`${TWICE}%`).all();
    expect(follows.results).toHaveLength(2);
    for (const { id } of follows.results) expect(paths(await see(`/changes?library=${String(id)}`))).toEqual(['Twice']);

    // After one follow ends, the change that the other found is listed, but not reported again.
    const first = /href="\/changes\/([^/"]+)\/[^"]+"><bdi>Twice/u.exec(list.html)?.[1];
    await env.DB.prepare('DELETE FROM follows WHERE id = ?').bind(first).run();
    await nextRound();
    expect(paths(await see('/changes'))).toEqual(['Twice']);
    expect((await messages('/once')).flatMap(({ changes }) => changes)).toHaveLength(1);
  });

  it('is reported once in the message of a day', async () => {
    await followed({ url: TWICE });
    await followed({ url: TWICE, scope: 'site', max_pages: 3 });
    await write(`${HOOK}/day`, 'ok');
    await act({ url: `${HOOK}/day`, every: 'day' });
    await env.DB.prepare('UPDATE change_reports SET next_at = ?')
      .bind(Date.now() + 3_600_000)
      .run();
    await write(TWICE, prices(13));
    await nextRound();
    await setDue();
    await nextRound();
    expect((await messages('/day')).map(({ changes }) => changes.map(({ url }) => url))).toEqual([[TWICE]]);
  });

  it('is listed and reported again when the page changes back and forth', async () => {
    const url = `${TWICE}forth`;
    await write(url, prices(21));
    await followed({ url });
    await followed({ url, scope: 'site', max_pages: 2 });
    await write(`${HOOK}/forth`, 'ok');
    await act({ url: `${HOOK}/forth`, every: 'day' });
    await env.DB.prepare('UPDATE change_reports SET next_at = ?')
      .bind(Date.now() + 3_600_000)
      .run();
    for (const cost of [22, 21, 22]) {
      await write(url, prices(cost));
      await nextRound();
    }
    const { changes } = structured(await callTool('modern', 'changes', { since: '2020-01-01' }));
    expect((changes as { url: string }[]).filter((one) => one.url === url)).toHaveLength(3);
    await setDue();
    await nextRound();
    const sent = (await messages('/forth')).flatMap((message) => message.changes);
    expect(sent.filter((one) => one.url === url)).toHaveLength(3);
  });
});
