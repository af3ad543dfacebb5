import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { SCRIPTED_URL_CHARS_MAX } from '#reading/limits.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, rpc, structured } from '#support/mcp-call.ts';
import type { Answer } from '#support/mcp-call.ts';
import { pageOf, textOf as plainText } from '#support/oauth-browser.ts';
import { personsBrowser } from '#support/oauth-journey.ts';

/** A page does not choose the address under which it is stored, found, cited and shared. */

const SITE = 'http://addresses.acme.dev';
const CHOSEN = `${SITE}/official/bank`;
const QUOTE = 'sing to one another under water, number 3 of them';
const MAYBE = 'A script may have set this address';

let ada = '';
let bob = '';
beforeAll(async () => {
  ada = await grantFor('address-ada', ['web:read', 'cite:share', 'browser:use', 'browser:evaluate']);
  bob = await grantFor('address-bob', ['web:read']);
});

const textOf = (answer: Answer) => answer.result?.content?.[0]?.text ?? '';
const call = (name: string, args: Record<string, unknown>, token = ada) => callTool('modern', name, args, { token });
const render = (path: string, token = ada) => call('web_open', { url: SITE + path, mode: 'rendered' }, token);

async function read(session: string, path: string, args: Record<string, unknown> = {}): Promise<Answer> {
  structured(await call('browser_navigate', { url: SITE + path, session }));
  return call('browser_read', { session, ...args });
}

function notesOf(page: Record<string, unknown>): string {
  return JSON.stringify(page['notes']);
}

async function quotePage(shareLink: unknown): Promise<string> {
  return plainText(pageOf(await personsBrowser().get(String(shareLink))).html);
}

describe('a rendered page whose script sets another URL', () => {
  it.each([
    ['/pushes', '/official/bank'],
    ['/replaces', '/official/bank?of=walrus'],
    ['/hashes', '/hashes#/official/bank'],
    ['/writes', '/official/bank'],
  ])('is stored under the URL that answered, and a note shows the other one in a fence: %s', async (path, chosen) => {
    const answer = await render(path);
    const page = structured(answer);
    expect(page['url']).toBe(SITE + path);
    expect(String(page['markdown'])).toContain(`source: ${SITE}${path}\n`);
    expect(String(page['markdown'])).toContain(QUOTE);
    const [, mark, shown = ''] = /⟦([0-9a-f]{16})\n(.*)\n\1⟧/.exec(textOf(answer)) ?? [];
    expect(mark).toBeDefined();
    expect(shown.startsWith(SITE + chosen)).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(SCRIPTED_URL_CHARS_MAX);
    const stored = await env.DB.prepare('SELECT final_url AS url FROM snapshots WHERE key = ?')
      .bind(page['snapshot'])
      .first();
    expect(stored).toEqual({ url: SITE + path });
    const again = structured(await call('web_open', { url: SITE + path, mode: 'rendered', max_age_seconds: 600 }));
    expect(again).toMatchObject({ cached: true, url: page['url'] });
    expect(notesOf(again)).toContain(JSON.stringify(`⟦${mark}\n${shown}\n${mark}⟧`).slice(1, -1));
  });

  it('has its links relative to that URL, as in a browser', async () => {
    expect(String(structured(await render('/links'))['markdown'])).toContain(`(${SITE}/official/next)`);
  });

  it('is listed in search and in resources under the URL that answered', async () => {
    const page = structured(await render('/narwhals'));
    const found = textOf(await call('search', { query: 'narwhals dive deeper' }, bob));
    expect(found).toContain(`${SITE}/narwhals`);
    expect(found).not.toContain('/official/bank');
    const { result } = await rpc(
      'modern',
      'resources/read',
      { uri: `resource://cache/${String(page['snapshot'])}` },
      { token: ada },
    );
    expect(JSON.stringify(result)).toContain(`source: ${SITE}/narwhals`);
    const meta = await rpc(
      'modern',
      'resources/read',
      { uri: `resource://meta/${String(page['snapshot'])}` },
      { token: ada },
    );
    expect(JSON.stringify(meta.result).replace(/\\n|[\\\s]/g, '')).toContain(`"final_url":"${SITE}/narwhals"`);
    expect(JSON.stringify(meta.result).replace(/\\n|[\\\s]/g, '')).toContain(`"document_url":"${CHOSEN}"`);
  });

  it('is cited and shared under the URL that answered, and the quote notes that a script may have set it', async () => {
    const { cursor } = structured(await render('/pushes'));
    const answer = await call('cite', { cursor, quote: QUOTE, share: true });
    const cited = structured(answer);
    expect(cited['url']).toBe(`${SITE}/pushes`);
    expect(notesOf(cited)).toContain(MAYBE);
    expect(textOf(answer)).toContain(MAYBE);
    const shown = await quotePage(cited['share_link']);
    expect(shown).toContain(`${SITE}/pushes`);
    expect(shown).toContain(MAYBE);
    expect(shown).not.toContain('/official/bank');
  });

  it('is private to its user if that URL is a secret', async () => {
    const page = structured(await render('/pushes-secret'));
    expect(page['url']).toBe(`${SITE}/pushes-secret`);
    expect(notesOf(page)).toContain('token=Zk81mQ9xVt2');
    const meta = await rpc(
      'modern',
      'resources/read',
      { uri: `resource://meta/${String(page['snapshot'])}` },
      { token: ada },
    );
    expect(JSON.stringify(meta.result)).not.toContain('Zk81mQ9xVt2');
    expect(textOf(await call('search', { query: 'walruses rest on the ice', count: 20 }, bob))).not.toContain(
      'pushes-secret',
    );
  });

  it.each(['/pushes-and-returns', '/hashes-back'])('is treated normally if it restores the URL: %s', async (path) => {
    const page = structured(await render(path));
    expect(page).toMatchObject({ url: SITE + path, notes: ['This page was rendered in a browser, as asked for.'] });
    expect(structured(await call('cite', { cursor: page['cursor'], quote: QUOTE }))['notes']).toEqual([]);
  });
});

describe('a rendered page that navigates', () => {
  it.each([
    ['/refreshes', `${SITE}/arrived`],
    ['/pushes-then-goes', `${SITE}/arrived`],
    ['/goes-away', 'http://app.acme.dev/arrived'],
  ])('has the URL of the last response, and quotes note that scripts led there: %s', async (path, url) => {
    const page = structured(await render(path));
    expect(page['url']).toBe(url);
    expect(notesOf(page)).not.toContain('official');
    const cited = structured(await call('cite', { cursor: page['cursor'], quote: QUOTE, share: true }));
    expect(cited['url']).toBe(url);
    expect(notesOf(cited)).toContain(MAYBE);
    expect(await quotePage(cited['share_link'])).toContain(MAYBE);
  });

  it('has the URL of the response, with a note, if it sets a URL there', async () => {
    const page = structured(await render('/goes-then-pushes'));
    expect(page['url']).toBe(`${SITE}/pushes`);
    expect(notesOf(page)).toContain(CHOSEN);
  });

  it.each([
    ['writes another document from a frame', '/frame-writes'],
    ['puts one of a javascript: address in its place', '/javascript'],
  ])('keeps the URL that answered if it %s', async (_, path) => {
    const page = structured(await render(path));
    expect(String(page['markdown'])).toContain(QUOTE);
    expect(page['url']).toBe(SITE + path);
  });

  it.each(['/goes-blank', '/goes-to-blob'])('cannot be read if it leads to no server: %s', async (path) => {
    expect((await render(path)).result?.structuredContent).toMatchObject({ error: 'render_failed' });
  });

  it('is cited without that note if a server redirect led there, not a script', async () => {
    const page = structured(await render('/moved'));
    expect(page['url']).toBe(`${SITE}/honest`);
    const cited = structured(await call('cite', { cursor: page['cursor'], quote: QUOTE, share: true }));
    expect(cited['notes']).toEqual([]);
    expect(await quotePage(cited['share_link'])).not.toContain('script');
  });
});

describe('browser_read', () => {
  it('returns the URL that answered, and the other in a note, and quotes mention it', async () => {
    const answer = await read('pushed', '/pushes');
    const page = structured(answer);
    expect(page['url']).toBe(`${SITE}/pushes`);
    expect(page['tab']).toMatchObject({ url: CHOSEN });
    expect(notesOf(page)).toContain(CHOSEN);
    expect(textOf(answer)).toMatch(new RegExp(`⟦([0-9a-f]{16})\n${CHOSEN}\n\\1⟧`));
    const stored = await env.DB.prepare(
      `SELECT url, final_url AS final FROM snapshots WHERE mode = 'live' ORDER BY fetched_at DESC LIMIT 1`,
    ).first();
    expect(stored).toEqual({ url: `${SITE}/pushes`, final: `${SITE}/pushes` });
    const cited = structured(await call('cite', { cursor: page['cursor'], quote: QUOTE }));
    expect(cited['url']).toBe(`${SITE}/pushes`);
    expect(notesOf(cited)).toContain(MAYBE);
  });

  it('does not treat a requested fragment as set by a script', async () => {
    const page = structured(await read('fragment', '/honest#part'));
    expect(page).toMatchObject({ url: `${SITE}/honest`, tab: { url: `${SITE}/honest#part` } });
    expect(notesOf(page)).not.toContain('#part');
    expect(structured(await call('cite', { cursor: page['cursor'], quote: QUOTE }))['notes']).toEqual([]);
  });

  it('returns the URL of a later navigation, and of a document restored by history', async () => {
    await read('goes', '/pushes');
    const arrived = structured(await read('goes', '/arrived'));
    expect(arrived['url']).toBe(`${SITE}/arrived`);
    expect(structured(await call('cite', { cursor: arrived['cursor'], quote: QUOTE }))['notes']).toEqual([]);
    structured(await call('browser_evaluate', { session: 'goes', script: PUSH_ANOTHER }));
    structured(await call('browser_navigate', { session: 'goes', history: 'back' }));
    const back = structured(await call('browser_read', { session: 'goes' }));
    expect(back['url']).toBe(`${SITE}/arrived`);
    expect(notesOf(back)).not.toContain('official');
  });

  it('returns the URL of the document in a frame, and no URL for content that its page wrote there', async () => {
    structured(await call('browser_navigate', { url: `${SITE}/frames`, session: 'frames' }));
    const view = textOf(await call('browser_snapshot', { session: 'frames' }));
    const [, button = ''] = /(@e\d+) button "In the frame"/u.exec(view) ?? [];
    const framed = structured(await call('browser_read', { session: 'frames', selector: button }));
    expect(framed['url']).toBe(`${SITE}/framed`);
    expect(notesOf(framed)).toContain(`${SITE}/official/framed`);
  });

  it('returns no URL for a pop-up that its opener wrote', async () => {
    structured(await call('browser_navigate', { url: `${SITE}/opens`, session: 'opens' }));
    structured(await call('browser_click', { session: 'opens', selector: '#open' }));
    const page = structured(await call('browser_read', { session: 'opens', tab: 't2' }));
    expect(String(page['render'])).toContain('Words that a page wrote into its pop-up');
    expect(page['url']).toBe('about:blank');
    expect(notesOf(page)).toContain(CHOSEN);
  });
});

const PUSH_ANOTHER = `history.pushState(0, '', '/official/other')`;
