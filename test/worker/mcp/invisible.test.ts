import { beforeAll, describe, expect, it } from 'vitest';
import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';
import { grantFor } from '#support/grants.ts';
import { HOSTILE_TEXT as H } from '#support/invisible.ts';
import { arrivedIn, callAll, HOSTILE_PAGE as PAGE, HOSTILE_SITE as SITE, send } from '#support/invisible-calls.ts';
import type { Args, Call, Known } from '#support/invisible-calls.ts';

/**
 * A site and a caller put invisible characters into every text that they can send. Every tool is called, every text of
 * every answer is checked, and every text field that a tool has must be among them.
 */

/** In the order of the catalog; a missing tool fails the test. */
const CALLS: Record<string, readonly Call[]> = {
  search: [{ query: `walrus ${H}` }, { query: 'walrus' }, { query: H, topn: H }],
  open_result: [({ list }) => ({ cursor: list, result_id: 1 }), { cursor: H, result_id: 1 }],
  open_url: [{ url: PAGE }, { url: `${SITE}/moved-inside` }, { url: `${PAGE}#${H}` }, { url: H }, { [H]: H }],
  scroll: [({ cursor }) => ({ cursor, loc: 3 }), { cursor: H, loc: 0 }],
  find: [
    ({ cursor }) => ({ cursor, pattern: 'walrus' }),
    ({ cursor }) => ({ cursor, pattern: H }),
    ({ cursor }) => ({ cursor, pattern: `(${H}`, is_regex: true }),
    ({ list }) => ({ cursor: list, pattern: 'walrus' }),
  ],
  web_search: [
    { query: `walrus ${H}` },
    { query: 'walrus', domain_allowlist: ['hostile.acme.dev'], extra_snippets: true },
    { query: 'walrus', country: H, freshness: H, goggles: H, domain_denylist: [H] },
  ],
  web_open: [
    { url: PAGE, explain: true },
    { url: `${SITE}/moved`, explain: true, mode: 'raw' },
    { url: `${SITE}/notes.md` },
    { url: `${SITE}/twin`, explain: true },
    { url: `${SITE}/data.json` },
    { url: `${SITE}/closed/${H}` },
    { url: `${SITE}/gone/${H}?token=${H}` },
    { url: `${SITE}/odd-type` },
    { url: `${SITE}/long` },
    { url: `${SITE}/moved-inside` },
    { url: PAGE, siteconfig: H },
    { url: `https://${H}/` },
  ],
  web_batch_open: [{ urls: [PAGE, `${SITE}/empty`, H], explain: true }, { url: H }],
  find_passages: [
    { question: `walrus sentence ${H}`, urls: [PAGE, H], cursors: [H] },
    { question: 'walrus read as content', urls: [PAGE, PAGE] },
    { question: H },
  ],
  web_extract: [
    {
      html: `<title>${H}</title><h1>${H}</h1><p>Words ${H} <a href="/${H}">${H}</a></p>`,
      base_url: PAGE,
      explain: true,
    },
    { html: `<p>Words ${H} <a href="${H}">${H}</a> that are long enough to be read as content.</p>` },
    { html: '<p>x</p>', base_url: H },
    { html: '<p>x</p>', siteconfig: H },
  ],
  view_image: [{ url: PAGE }, { url: `${SITE}/gone/${H}` }, { url: H }, { url: PAGE, page: 0 }],
  cite: [
    ({ cursor }) => ({ cursor, quote: 'walrus', note: H }),
    ({ cursor }) => ({ cursor, quote: `walrus ${H} that nobody has written`, share: true }),
    ({ cursor }) => ({ cursor, quote: 'walrus', share: true }),
    { cursor: H, quote: H, [H]: H },
  ],
  cache_get: [({ snapshot }) => ({ snapshot }), { snapshot: H }],
  cache_purge: [{ domain: 'hostile.acme.dev' }, ({ snapshot }) => ({ snapshot, dry_run: true }), { domain: H }],
  follow: [
    { url: `${SITE}/long` },
    { url: PAGE, contains: H },
    { url: PAGE, every: 0 },
    { url: H },
    { url: 'http://hostile.acme.dev/gone' },
  ],
  changes: [
    ({ first, cursor }) => ({ cursors: [first, cursor] }),
    ({ first, cursor }) => ({ cursors: [cursor, first] }),
    ({ cursor }) => ({ cursors: [cursor] }),
    {},
    { since: H },
    { library: H },
    { cursors: [H, H] },
  ],
};

const CHATGPT_CALLS: Record<string, readonly Call[]> = {
  search: [{ query: `walrus ${H}` }, { query: 'walrus' }, { [H]: H }],
  fetch: [({ id }) => ({ id }), { id: PAGE }, { id: H }],
};

let token = '';
beforeAll(async () => {
  token = await grantFor('hostile-reader', ['web:read', 'cache:purge', 'library:follow', 'cite:share']);
});

describe('invisible text', () => {
  const known: Known = { first: '', cursor: '', list: '', snapshot: '', id: '' };

  it('is missing from every result of every tool that needs no browser', async () => {
    // A page has to be stored before a search can find it.
    await send(token, 'modern', 'tools/call', { name: 'open_url', arguments: { url: PAGE } });
    const tools = CATALOG.filter(({ name }) => !name.startsWith('browser_'));
    expect(await callAll(token, tools, CALLS, { query: '?structured=on', known })).toEqual([]);
  });

  it('is missing from the results of the ChatGPT profile', async () => {
    expect(await callAll(token, CHATGPT_CATALOG, CHATGPT_CALLS, { query: '?toolsets=chatgpt', known })).toEqual([]);
  });

  it.each(['legacy', 'modern'] as const)(
    'is missing from lists, resources, prompts and completions, %s era',
    async (era) => {
      const ref = { type: 'ref/prompt', name: 'docs_summarize_for_coding' };
      const requests: [string, Args][] = [
        ['tools/list', {}],
        ['resources/list', {}],
        ['resources/list', { cursor: H }],
        ['resources/templates/list', {}],
        ['resources/read', { uri: `resource://cache/${known.snapshot}` }],
        ['resources/read', { uri: `resource://meta/${known.snapshot}` }],
        ['resources/read', { uri: `resource://cache/${H}` }],
        ['prompts/list', {}],
        ['prompts/get', { name: 'docs_summarize_for_coding', arguments: { url: PAGE, focus: H } }],
        ['prompts/get', { name: 'docs_summarize_for_coding', arguments: { url: H } }],
        ['prompts/get', { name: 'docs_summarize_for_coding', arguments: { [H]: H } }],
        ['prompts/get', { name: H }],
        ['completion/complete', { ref, argument: { name: 'url', value: 'hostile' } }],
        ['completion/complete', { ref, argument: { name: H, value: H } }],
        ['completion/complete', { ref: { type: H }, argument: { name: H, value: H } }],
        ['tools/call', { name: H, arguments: { [H]: H } }],
        ['tools/call', { name: 'open_url', arguments: H }],
        ['logging/setLevel', { level: H }],
        [H, { [H]: H }],
      ];
      for (const [method, params] of requests)
        expect(arrivedIn(await send(token, era, method, params), `${method} ${era}`)).toEqual([]);
    },
  );
});
