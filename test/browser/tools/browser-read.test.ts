import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { URL_CHARS_MAX } from '#core/limits.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, rpc, structured } from '#support/mcp-call.ts';
import type { Answer, Era } from '#support/mcp-call.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const PAGE = 'http://app.acme.dev/reads';

let owner = '';
let other = '';
beforeAll(async () => {
  owner = await grantFor('page-owner', ['web:read', 'cite:share', 'browser:use', 'cache:purge']);
  other = await grantFor('page-other', ['web:read', 'browser:use', 'cache:purge']);
});

const textOf = (answer: Answer) => answer.result?.content?.[0]?.text ?? '';

/** Each closes a session that a test opened. */
const sessions: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(sessions.splice(0).map((close) => close())));

async function call(name: string, args: Record<string, unknown>, token = owner, era: Era = 'modern') {
  const session = args['session'] === undefined ? {} : { session: args['session'] };
  if (name === 'browser_navigate') sessions.push(() => callTool('modern', 'browser_close', session, { token }));
  return callTool(era, name, args, { token });
}

async function errorOf(name: string, args: Record<string, unknown>, token: string): Promise<unknown> {
  return (await call(name, args, token)).result?.structuredContent?.['error'];
}

/** The page's lines in `render`, without their numbers. */
function unnumbered({ render }: Record<string, unknown>): string {
  const [, lines = ''] = String(render).split('\n\n');
  return lines.replaceAll(/^L\d+: /gmu, '');
}

/** Opens the page in a new session and reads it. */
async function read(session: string, args: Record<string, unknown> = {}, era: Era = 'modern'): Promise<Answer> {
  structured(await call('browser_navigate', { url: PAGE, session }));
  return call('browser_read', { session, ...args }, owner, era);
}

/** The snapshot of what was read last. */
async function storedKey(): Promise<string> {
  const row = await env.DB.prepare(
    `SELECT key FROM snapshots WHERE mode = 'live' ORDER BY fetched_at DESC LIMIT 1`,
  ).first<{ key: string }>();
  return row?.key ?? '';
}

describe('browser_read', () => {
  for (const era of ERAS) {
    it(`returns the page as its scripts made it, with a cursor for scroll and find, in the ${era} era`, async () => {
      const answer = await read(`reads-${era}`, {}, era);
      const page = structured(answer);
      expect(page).toMatchObject({ title: 'An app', url: PAGE, session: `reads-${era}`, tab: { id: 't1', url: PAGE } });
      expect(page['render']).toContain('number 11 of them.');
      expect(textOf(answer)).toContain(`In session reads-${era}\n`);
      expect(textOf(answer)).toContain(String(page['render']));
      const { cursor } = page;
      const found = structured(await call('find', { cursor, pattern: 'number 7' }, owner, era));
      expect(found['matches']).toHaveLength(1);
      expect(page).not.toHaveProperty('text');
      const text = String(structured(await call('scroll', { cursor, loc: 0 }, owner, era))['text']);
      expect(unnumbered(page)).toBe(text);
      await call('browser_close', { session: `reads-${era}` });
    });
  }

  it('can be cited by its owner, and never shared, even when its snapshot has been purged', async () => {
    const { cursor } = structured(await read('cited'));
    const quote = 'number 11 of them';
    expect(await errorOf('cite', { cursor, quote, share: true }, owner)).toBe('not_shareable');
    expect(await errorOf('cite', { cursor, quote }, other)).toBe('unknown_cursor');
    expect(structured(await call('cite', { cursor, quote }))).toMatchObject({ quote });
    structured(await call('cache_purge', { snapshot: await storedKey(), dry_run: false }));
    expect(await errorOf('cite', { cursor, quote, share: true }, owner)).toBe('not_shareable');
    expect(structured(await call('scroll', { cursor, loc: 0 }))['text']).toContain(quote);
    await env.DB.prepare(`DELETE FROM citations`).run();
    const refused = textOf(await call('cite', { cursor, quote, share: true }));
    expect(refused).toContain('it was read in a browser session');
  });

  it('keeps its text when the page changes', async () => {
    const before = structured(await read('changes'));
    const { cursor } = before;
    const click = structured(await call('browser_click', { session: 'changes', selector: '#empty' }));
    expect(click).toBeDefined();
    const later = structured(await call('browser_read', { session: 'changes' }));
    expect(later['render']).toContain('Nothing left.');
    expect(later['cursor']).not.toBe(cursor);
    expect(structured(await call('scroll', { cursor }))['text']).toBe(unnumbered(before));
  });

  it('reads one element whole', async () => {
    const page = structured(await read('element', { selector: 'aside' }));
    expect(unnumbered(page)).toBe('Beside the story stand these words.');
  });

  it('omits invisible and typed text', async () => {
    structured(await call('browser_navigate', { url: PAGE, session: 'typed' }));
    structured(await call('browser_fill', { session: 'typed', selectors: ['#secret'], values: ['hunter2'] }));
    const page = structured(await call('browser_read', { session: 'typed' }));
    expect(JSON.stringify(page)).not.toMatch(/hunter2|Smuggled/u);
  });

  it('cuts a URL that is longer than the maximum', async () => {
    structured(await call('browser_navigate', { url: 'http://addresses.acme.dev/long', session: 'long' }, other));
    const page = structured(await call('browser_read', { session: 'long' }, other));
    expect(String(page['url'])).toHaveLength(URL_CHARS_MAX);
    expect(page['notes']).toContain(
      `The page's address is longer than ${URL_CHARS_MAX} characters: its end is left out.`,
    );
  });

  it('cuts a URL of megabytes that a script sets', async () => {
    const token = await grantFor('page-owner', ['web:read', 'browser:use', 'browser:evaluate']);
    structured(await call('browser_navigate', { url: PAGE, session: 'scripted' }, token));
    const script = `history.pushState(0, '', '?' + 'x'.repeat(1_900_000))`;
    // Chromium alone computes for almost 2 s on such an address.
    structured(await call('browser_evaluate', { session: 'scripted', script, timeout_ms: 15_000 }, token));
    const answer = await call('browser_read', { session: 'scripted' }, token);
    expect(structured(answer)['url']).toBe(PAGE);
    expect(JSON.stringify(answer).length).toBeLessThan(10 * URL_CHARS_MAX);
  });

  it('explains what to do if the session or the element does not exist', async () => {
    expect(await errorOf('browser_read', { session: 'never-opened' }, owner)).toBe('unknown_session');
    await read('missing');
    expect(await errorOf('browser_read', { session: 'missing', selector: '#nowhere' }, owner)).toBe(
      'element_not_found',
    );
  });
});

describe('a document of browser_read', () => {
  it('is available only to its owner: by cursor, snapshot and resource', async () => {
    const { cursor } = structured(await read('private'));
    const key = await storedKey();
    expect(structured(await call('cache_get', { snapshot: key }))['markdown']).toContain('number 11 of them.');
    expect(await errorOf('cache_get', { snapshot: key }, other)).toBe('unknown_snapshot');
    expect(await errorOf('scroll', { cursor }, other)).toBe('unknown_cursor');
    expect(await errorOf('find', { cursor, pattern: 'w' }, other)).toBe('unknown_cursor');
    for (const kind of ['cache', 'meta']) {
      const uri = `resource://${kind}/${key}`;
      expect((await rpc('modern', 'resources/read', { uri }, { token: other })).error).toBeDefined();
      expect((await rpc('modern', 'resources/read', { uri }, { token: owner })).error).toBeUndefined();
    }
    const opened = structured(await call('web_open', { url: PAGE, mode: 'readable', max_age_seconds: 600 }, other));
    expect(opened['snapshot']).not.toBe(key);
  });

  it('is a different document for every other user, although the page is the same', async () => {
    structured(await read('same'));
    structured(await call('browser_navigate', { url: PAGE, session: 'same' }, other));
    structured(await call('browser_read', { session: 'same' }, other));
    const { results } = await env.DB.prepare('SELECT id, owner FROM documents WHERE owner IS NOT NULL').all();
    expect(new Set(results.map((row) => row['id'])).size).toBe(results.length);
    expect(new Set(results.map((row) => row['owner']))).toEqual(new Set(['page-owner', 'page-other']));
  });

  it('is in no index and in no other user’s list of opened pages', async () => {
    const somebody = await grantFor('page-lister', ['web:read', 'browser:use']);
    structured(await call('browser_navigate', { url: PAGE, session: 'listed' }, somebody));
    structured(await call('browser_read', { session: 'listed' }, somebody));
    for (const token of [somebody, other]) {
      const { result } = await rpc('modern', 'resources/list', {}, { token });
      expect(JSON.stringify(result)).not.toContain(await storedKey());
    }
    const indexed = await env.DB.prepare(
      'SELECT count(*) AS n FROM documents WHERE owner IS NOT NULL AND indexed = 1',
    ).first<{ n: number }>();
    expect(indexed?.n).toBe(0);
    expect(textOf(await call('search', { query: 'walruses under water' }, other))).not.toContain(PAGE);
  });

  it('is deleted at once when its owner purges it, and not when another user does', async () => {
    const { cursor } = structured(await read('purged'));
    const purge = { domain: 'app.acme.dev', dry_run: false };
    structured(await call('cache_purge', purge, other));
    expect(structured(await call('scroll', { cursor }))['text']).toContain('number 0 of them.');
    const foreseen = structured(await call('cache_purge', { ...purge, dry_run: true }));
    expect(JSON.stringify(foreseen)).toContain(PAGE);
    structured(await call('cache_purge', purge));
    const left = await env.DB.prepare(`SELECT count(*) AS n FROM documents WHERE owner = 'page-owner'`).first<{
      n: number;
    }>();
    expect(left?.n).toBe(0);
    expect(await errorOf('scroll', { cursor }, owner)).toBe('cache_error');
  });
});

describe('browser_read of a page without a URL', () => {
  it('reports a page without text or without a URL, and invents no URL', async () => {
    const scripter = await grantFor('page-scripter', ['web:read', 'browser:use', 'browser:evaluate']);
    structured(await call('browser_launch', {}, scripter));
    const empty = await call('browser_read', {}, scripter);
    expect(empty.result?.structuredContent).toMatchObject({
      error: 'extract_failed',
      message: 'No readable text was found: the page in the browser shows no text now.',
      hint: expect.stringMatching(/canvas: call browser_screenshot[^]*browser_snapshot/u),
    });
    const script = `document.body.innerHTML = '<p>A page of scripts, with <a href="next.html">a relative link</a>.</p>'`;
    structured(await call('browser_evaluate', { script }, scripter));
    const written = await call('browser_read', {}, scripter);
    expect(structured(written)['render']).toContain('[a relative link](next.html)');
    expect(JSON.stringify([empty, written])).not.toContain('.invalid');
  });
});
