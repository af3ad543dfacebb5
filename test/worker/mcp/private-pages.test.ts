import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor, oauthApi } from '../../support/grants.ts';
import { callTool, rpc, structured } from '../../support/mcp-call.ts';
import type { Answer } from '../../support/mcp-call.ts';

const SITE = 'https://shares.acme.dev';

/** Pages for one person, for different reasons: address, words of the page, and the secret part of the address. */
const PAGES = [
  { url: `${SITE}/doc?share=anna-only-1`, words: 'quagga', secret: 'anna-only-1' },
  { url: `${SITE}/signed?X-Amz-Signature=s5f3a`, words: 'huia', secret: 's5f3a' },
  { url: `${SITE}/s/Ab3dE9xQ7wZr`, words: 'dodo', secret: 'Ab3dE9xQ7wZr' },
  { url: `${SITE}/account`, words: 'thylacine', secret: null },
  { url: `${SITE}/ticket-1`, words: 'mammoth', secret: null },
  { url: `${SITE}/go`, words: 'solenodon', secret: 'behind-the-door' },
  { url: `${SITE}/once`, words: 'aurochs', secret: null },
] as const;

let anna = '';
let bert = '';
beforeAll(async () => {
  anna = await grantFor('anna-of-pages', ['web:read']);
  bert = await grantFor('bert-of-pages', ['web:read', 'cache:purge']);
}, 60_000);

/** The subject of LOCAL_ACCESS_TOKEN, who owns the deployment. */
const OWNER = undefined;

const call = (token: string | undefined, name: string, args: Record<string, unknown>, query = '') =>
  callTool('modern', name, args, { query, ...(token === undefined ? {} : { token }) });
const open = async (token: string | undefined, url: string, more: Record<string, unknown> = {}) =>
  structured(await call(token, 'web_open', { url, ...more }));
const saidOf = (answer: Answer) => JSON.stringify(answer);

async function everywhere(
  token: string | undefined,
  { url, words }: { url: string; words: string },
  snapshot: unknown,
) {
  const ask = (method: string, params: Record<string, unknown>) =>
    rpc('modern', method, params, token === undefined ? {} : { token });
  const template = { type: 'ref/resource', uri: 'resource://cache/{sha256}' };
  return [
    await call(token, 'search', { query: words }),
    await call(token, 'search', { query: `"${words}"`, topn: 20 }),
    await call(token, 'web_search', { query: words, count: 20 }),
    await call(token, 'search', { query: words }, '?toolsets=chatgpt'),
    await call(token, 'cache_get', { snapshot }),
    await ask('resources/read', { uri: `resource://cache/${String(snapshot)}` }),
    await ask('resources/read', { uri: `resource://meta/${String(snapshot)}` }),
    await ask('resources/list', {}),
    await ask('completion/complete', { ref: template, argument: { name: 'sha256', value: '' } }),
    await ask('completion/complete', {
      ref: template,
      argument: { name: 'sha256', value: String(snapshot).slice(0, 6) },
    }),
    await ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'docs_summarize_for_coding' },
      argument: { name: 'url', value: 'shares.acme' },
    }),
    await ask('prompts/get', { name: 'docs_summarize_for_coding', arguments: { snapshot } }),
    await call(token, 'cache_purge', { domain: 'shares.acme.dev' }),
    await call(token, 'cache_purge', { snapshot }),
    await call(token, 'cache_get', { snapshot: url }),
  ];
}

describe('a page that one user opened and that is for them alone', () => {
  for (const page of PAGES) {
    it(`is found by nobody else: ${page.url}`, async () => {
      const opened = await open(anna, page.url);
      expect(opened['markdown']).toContain(page.words);
      const { snapshot } = opened;
      for (const token of [bert, OWNER]) {
        for (const answer of await everywhere(token, page, snapshot)) {
          expect(saidOf(answer)).not.toContain('discussed behind closed doors');
          expect(saidOf(answer)).not.toContain('shares.acme.dev/');
          if (page.secret !== null) expect(saidOf(answer)).not.toContain(page.secret);
        }
        const dry = structured(await call(token, 'cache_purge', { domain: 'shares.acme.dev' }));
        expect(dry).toMatchObject({ count: 0, rows: [], documents_dropped: 0, documents_held: 0, remaining: 0 });
      }
    });
  }

  for (const page of PAGES) {
    it(`is fetched again for every other user who opens it: ${page.url}`, async () => {
      const times = async (token: string | undefined, more = {}) =>
        Number(/served (\d+) times/.exec(String((await open(token, page.url, more))['markdown']))?.[1]);
      const stored = { max_age_seconds: 3600 };
      const first = await times(anna, { refresh: true });
      expect(await times(anna, stored)).toBe(first);
      expect(await times(bert, stored)).toBe(first + 1);
      expect(await times(bert, stored)).toBe(first + 1);
      expect(await times(anna, stored)).toBe(first);
      const [batch] = structured(await call(OWNER, 'web_batch_open', { urls: [page.url], ...stored }))['entries'] as {
        cached: boolean;
      }[];
      expect(batch?.cached).toBe(false);
    });

    it(`is found by the user who opened it, with its whole address: ${page.url}`, async () => {
      const opened = await open(anna, page.url);
      const found = structured(await call(anna, 'web_search', { query: page.words, count: 20 }));
      expect((found['results'] as { url: string }[]).map(({ url }) => url)).toContain(opened['url']);
      structured(await call(anna, 'cache_get', { snapshot: opened['snapshot'] }));
      structured(await call(anna, 'scroll', { cursor: opened['cursor'] }));
      const meta = await rpc(
        'modern',
        'resources/read',
        { uri: `resource://meta/${String(opened['snapshot'])}` },
        { token: anna },
      );
      expect(saidOf(meta)).toContain('\\"visible_to\\": \\"you\\"');
    });
  }

  it('is not shared among users who open it at the same time', async () => {
    const answers = await Promise.all([anna, bert, OWNER].map((token) => open(token, `${SITE}/account`)));
    const times = answers.map(({ markdown }) => /served (\d+) times/.exec(String(markdown))?.[1]);
    expect(new Set(times).size).toBe(3);
    expect(new Set(answers.map(({ snapshot }) => snapshot)).size).toBe(3);
  });

  it('stays when another user purges, and is deleted when its own user does', async () => {
    const purger = await grantFor('purging-anna', ['web:read', 'cache:purge']);
    const { snapshot } = await open(purger, `${SITE}/account`);
    for (const purge of [{ snapshot }, { domain: 'shares.acme.dev' }, { keep_newest: 0 }]) {
      expect(saidOf(await call(bert, 'cache_purge', { ...purge, dry_run: false }))).not.toContain(String(snapshot));
    }
    structured(await call(purger, 'cache_get', { snapshot }));
    expect(structured(await call(purger, 'cache_purge', { snapshot, dry_run: false }))).toMatchObject({ count: 1 });
    expect((await call(purger, 'cache_get', { snapshot })).result?.structuredContent).toMatchObject({
      error: 'unknown_snapshot',
    });
  });

  it('becomes private once its site confirms it for one user only', async () => {
    const before = await open(anna, `${SITE}/turns-private`);
    const after = await open(bert, `${SITE}/turns-private`);
    expect(after['snapshot']).not.toBe(before['snapshot']);
    expect(after['cached']).toBe(false);
  });
});

describe('a page for all users', () => {
  const url = `${SITE}/open`;

  it('is shared by the users who open it', async () => {
    const first = await open(anna, url);
    const second = await open(bert, url, { max_age_seconds: 3600 });
    expect([second['cached'], second['snapshot']]).toEqual([true, first['snapshot']]);
  });

  it('is not found by its hash by users who have not opened it, because anyone can compute the hash', async () => {
    const { snapshot } = await open(anna, `${url}?edition=2`);
    const stranger = await grantFor('stranger-to-pages', ['web:read']);
    for (const token of [stranger, OWNER]) {
      const answer = await call(token, 'cache_get', { snapshot });
      expect(answer.result?.structuredContent).toMatchObject({ error: 'unknown_snapshot' });
      const { error } = await rpc(
        'modern',
        'resources/read',
        { uri: `resource://cache/${String(snapshot)}` },
        token === undefined ? {} : { token },
      );
      expect(error?.message).toMatch(/^No snapshot with this hash is stored/);
    }
    await open(stranger, `${url}?edition=2`, { max_age_seconds: 3600 });
    structured(await call(stranger, 'cache_get', { snapshot }));
  });
});

describe('a private page whose text is in the memory of an isolate', () => {
  const WORDS = 'discussed behind closed doors';
  const url = `${SITE}/doc?share=warm-one-2`;

  async function warm(token: string): Promise<unknown> {
    const { cursor } = await open(token, url, { max_age_seconds: 3_600 });
    expect(saidOf(await call(token, 'scroll', { cursor, loc: 0 }))).toContain(WORDS);
    expect(saidOf(await call(token, 'find', { cursor, pattern: 'closed doors' }))).toContain(WORDS);
    return cursor;
  }

  it('is not shown to another user who has its cursor', async () => {
    const cursor = await warm(anna);
    for (const token of [bert, OWNER]) {
      for (const [name, more] of [
        ['scroll', {}],
        ['find', { pattern: 'closed' }],
        ['open_result', { result_id: 1 }],
        ['cite', { quote: 'behind closed doors' }],
      ] as const) {
        const said = saidOf(await call(token, name, { cursor, ...more }));
        expect(said).toContain('unknown_cursor');
        expect(said).not.toContain(WORDS);
      }
    }
  });

  it('is no longer shown to its user once it is purged, by any cursor, and can be opened again', async () => {
    const owner = await grantFor('owner-of-warm-pages', ['web:read', 'cache:purge']);
    const cursors = [await warm(owner), await warm(owner)];
    structured(await call(owner, 'cache_purge', { domain: 'shares.acme.dev', dry_run: false }));
    for (const cursor of cursors) {
      for (const name of ['scroll', 'find'] as const) {
        const said = saidOf(await call(owner, name, { cursor, ...(name === 'find' ? { pattern: 'closed' } : {}) }));
        expect(said).toContain('cache_error');
        expect(said).not.toContain(WORDS);
      }
    }
    await warm(owner);
  });

  it('is not shown with a revoked token', async () => {
    const token = await grantFor('revoked-with-warm-pages', ['web:read']);
    const cursor = await warm(token);
    const { items } = await oauthApi().listUserGrants('revoked-with-warm-pages');
    for (const { id } of items) await oauthApi().revokeGrant(id, 'revoked-with-warm-pages');
    const said = saidOf(await call(token, 'scroll', { cursor, loc: 0 }));
    expect(said).toContain('invalid_token');
    expect(said).not.toContain(WORDS);
  });
});
