import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';
import type { JsonSchema, Tool } from '#tools/define-tool.ts';
import { grantFor } from '#support/grants.ts';
import { HOSTILE_TEXT, isArrived, textsOf } from '#support/invisible.ts';
import { MCP_URL } from '#support/mcp-call.ts';

/**
 * One site says everything it can with characters that nobody sees, and so does the caller. Every tool is called; every
 * text of every answer is looked at, and every text that a tool may answer with has to be among them.
 */

const SITE = 'https://hostile.acme.dev';
const PAGE = `${SITE}/page`;
const LIVE = 'http://hostile.acme.dev/live';
const H = HOSTILE_TEXT;

type Args = Record<string, unknown>;
/** What an earlier answer gave, for the calls after it. */
type Known = { first: string; cursor: string; list: string; snapshot: string; id: string; ref: string };
type Call = Args | ((known: Known) => Args);

/** In the order of the catalogue; a tool that is missing here fails the test. */
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
    { url: LIVE.replace('http:', 'https:'), mode: 'rendered', explain: true },
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
  browser_launch: [
    {},
    { session: H },
    { session: 'other', color_scheme: 'dark', locale: 'de-DE', timezone: 'Asia/Tokyo' },
    { locale: H, timezone: H },
    { device: H, geolocation: H },
  ],
  browser_navigate: [
    { url: LIVE, snapshot: true },
    { url: LIVE.replace('live', 'long'), new_tab: true, snapshot: true },
    { url: `http://hostile.acme.dev/gone?${H}#${H}`, tab: 't2' },
    { url: 'http://hostile.acme.dev/moved', tab: 't2' },
    { url: 'http://hostile.acme.dev/file', tab: 't2' },
    { url: `http://10.1.2.3/${H}`, tab: 't2' },
    { url: H },
    { url: LIVE, tab: H },
  ],
  browser_snapshot: [{}, { interactive_only: true, max_bytes: 2_000 }, { selector: `#${H}` }, { after: H }],
  browser_do: [
    { steps: ['hover #say', 'expect text=walrus'], dialog: 'accept', dialog_text: H },
    { steps: ['expect #say has "nothing of it"'], snapshot: true },
    { steps: [`click "${H}"`, 'press Tab'] },
    { steps: [H, `fill ${H}`] },
  ],
  browser_click: [
    { selector: '#say', snapshot: true, dialog: 'accept', dialog_text: H },
    { selector: '#say' },
    { selector: '#open', snapshot: true },
    { selector: '#send' },
    { selector: '#under' },
    { selector: `@e999999` },
    { selector: `text=${H}` },
    { selector: '#say', modifiers: [H] },
  ],
  browser_fill: [
    { selectors: ['#name'], values: ['y'], snapshot: true },
    { selectors: ['#name', '#choice'], values: [H, H] },
    { selectors: [H], values: [H, H] },
    { selectors: ['#name'], values: [], [H]: H },
  ],
  browser_type: [
    { selector: '#name', text: H, snapshot: true },
    { selector: '#must', key: H },
    { selector: H, text: H },
  ],
  browser_point: [
    { action: 'hover', selector: '#say', snapshot: true },
    { action: 'drag', selector: '#under', to_selector: '#name' },
    { action: 'drag', selector: 'main:nth-of-type(1) h1', to_selector: 'main:nth-of-type(1) caption' },
    { action: 'click', x: 1, y: 1 },
    { action: 'drag', selector: '#say', to_selector: H },
    { action: H, selector: H },
  ],
  browser_log: [
    { kind: 'console' },
    { kind: 'requests' },
    { kind: 'request', id: 'r1' },
    { kind: 'console', filter: H },
    { kind: 'request', id: H },
  ],
  browser_files: [
    { action: 'put', name: H, text: H, selector: '#file' },
    { action: 'put', name: H, text: H, selector: '#name' },
    { action: 'put', file: H },
    { action: 'list' },
    { action: 'delete', file: H },
    { action: H },
  ],
  browser_scroll: [{ snapshot: true }, { selector: H }, { direction: H }],
  browser_wait: [
    { text: 'walrus', timeout_ms: 100, snapshot: true },
    { selector: '#name', snapshot: true },
    { gone_selector: '#name', timeout_ms: 100 },
    { text: H, timeout_ms: 100 },
    { selector: H, text: H },
  ],
  browser_screenshot: [{}, { overlay: true }, { selector: H }],
  browser_evaluate: [
    { script: `({ [${JSON.stringify(H)}]: ${JSON.stringify(H)}, title: document.title, cookie: document.cookie })` },
    { script: `throw new Error(document.title)` },
    { script: 'document.title' },
    { script: '"\\u0007\\u001b" + document.title', selector: '#name' },
    { script: `${H} (` },
    { script: `fetch('${H}'); eval('1')` },
  ],
  browser_html: [{ max_bytes: 100_000 }, { selector: '#name' }, { keep_scripts: true }, { selector: H }],
  browser_read: [{}, { selector: 'main' }, { selector: '#under' }, { selector: '#open', session: H }],
  browser_handoff: [{ reason: 'Please', tab: H }, { reason: `Please ${H}` }, { reason: H, session: H }],
  browser_close: [{ tab: 't2' }, { tab: H }, {}, { session: H }],
};

const CHATGPT_CALLS: Record<string, readonly Call[]> = {
  search: [{ query: `walrus ${H}` }, { query: 'walrus' }, { [H]: H }],
  fetch: [({ id }) => ({ id }), { id: PAGE }, { id: H }],
};

/** Texts that nothing here can fill. What searches of the web say of a page is held by `contracts/search-provider`. */
const NEVER_FILLED: ReadonlySet<string> = new Set([
  // Names of ours, and only where several web searches are set up.
  'results[].found_by[]',
  'results[].stored_passage.text',
  'passages[].belongs_to.text',
  'results[].extra_snippets[]',
  'results[].age',
  'explain.render_problem',
  // Words of ours, and an address as it was asked for: of later rounds, which `library/told` tries.
  'found_by[].what',
  'left_out[].what',
  'changes[].why',
  'changes[].library',
  // A number that is counted here.
  'metadata.rest_lines',
]);

let token = '';
beforeAll(async () => {
  token = await grantFor('hostile-reader', [
    'web:read',
    'browser:use',
    'browser:evaluate',
    'cache:purge',
    'library:follow',
    'cite:share',
  ]);
});

async function send(era: 'legacy' | 'modern', method: unknown, params: Args, query = ''): Promise<unknown> {
  const version = era === 'modern' ? '2026-07-28' : '2025-11-25';
  const { name, uri } = params;
  const named = [name, uri].find((one) => typeof one === 'string');
  const response = await exports.default.fetch(MCP_URL + query, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(typeof method === 'string' && /^[\x20-\x7e]*$/.test(method) ? { 'mcp-method': method } : {}),
      ...(typeof named === 'string' && /^[\x20-\x7e]*$/.test(named) ? { 'mcp-name': named } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: H,
      method,
      params: era === 'modern' ? { ...params, _meta: META } : params,
    }),
  });
  const body = await response.text();
  const data = body.startsWith('{') ? [body] : [...body.matchAll(/^data: ([^\n]*)$/gm)].map(([, line]) => line ?? '');
  return data.map((line) => JSON.parse(line));
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: H, version: H },
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: H,
};

/** All texts of an answer but the ids, which go back as they came. */
function shownTexts(answer: unknown): [string, string][] {
  return textsOf(answer).filter(([path]) => path !== '$[].id' && path !== '$[].params.progressToken');
}

function arrivedIn(answer: unknown, of: string): string[] {
  return shownTexts(answer).flatMap(([path, text]) => {
    const found = isArrived(text) ?? innerJson(text);
    return found === null ? [] : [`${of} ${path}: ${found}`];
  });
}

/** Texts that are JSON are read as such by programs: nothing may wait behind an escape either. */
function innerJson(text: string): string | null {
  if (!/^[[{"]/.test(text)) return null;
  try {
    const found = textsOf(JSON.parse(text))
      .map(([, inner]) => isArrived(inner))
      .find((one) => one !== null);
    return found ?? null;
  } catch {
    return null;
  }
}

function learn(known: Known, tool: string, answer: unknown): void {
  const text = JSON.stringify(answer);
  const result = /"structuredContent":(\{.*\})/.exec(text)?.[1] ?? '';
  if (result.includes('"error":')) return;
  const cursor = /"cursor":"(c_[^"]+)"/.exec(result)?.[1];
  if (cursor !== undefined && (tool === 'search' || tool === 'web_search')) known.list ||= cursor;
  else if (cursor !== undefined) {
    known.first ||= cursor;
    known.cursor = cursor;
  }
  known.snapshot = /"snapshot":"([0-9a-f]{64})"/.exec(result)?.[1] ?? known.snapshot;
  known.id ||= /"id":"([^"]+)"/.exec(result)?.[1] ?? '';
}

/** Paths of all texts in a result, as `textsOf` writes them. */
function textPaths(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties, items, enum: values } = schema as JsonSchema;
  if (type === 'string') return values === undefined ? [path] : [];
  if (type === 'array') return textPaths(items, `${path}[]`);
  return Object.entries(properties ?? {}).flatMap(([name, one]) => textPaths(one, `${path}.${name}`));
}

async function callAll(tools: readonly Tool[], calls: typeof CALLS, query: string, known: Known): Promise<string[]> {
  const seen = new Set<string>();
  for (const { name } of tools) {
    expect(calls[name], `calls of ${name} are missing`).toBeDefined();
    for (const [at, call] of (calls[name] ?? []).entries()) {
      const args = typeof call === 'function' ? call(known) : call;
      const answer = await send(at % 3 === 2 ? 'legacy' : 'modern', 'tools/call', { name, arguments: args }, query);
      expect(arrivedIn(answer, `${name} ${at}`)).toEqual([]);
      learn(known, name, answer);
      for (const [path] of shownTexts(answer)) seen.add(fieldOf(path));
    }
  }
  const fields = tools.flatMap(({ outputSchema }) => textPaths(outputSchema?.(), '').map(fieldOf));
  return [...new Set(fields)].filter((field) => !seen.has(field) && !NEVER_FILLED.has(field));
}

/** Tools share fields, and a batch has entries of what one page has. */
function fieldOf(path: string): string {
  return path.replace(/^(?:\$\[\]\.result\.structuredContent)?\./, '').replace(/^entries\[\]\./, '');
}

describe('what nobody sees', () => {
  const known: Known = { first: '', cursor: '', list: '', snapshot: '', id: '', ref: '' };

  it('does not arrive in any text of any result of any tool', async () => {
    // A page has to be stored before a search can find it.
    await send('modern', 'tools/call', { name: 'open_url', arguments: { url: PAGE } });
    expect(await callAll(CATALOG, CALLS, '?structured=on', known)).toEqual([]);
  }, 120_000);

  it('does not arrive in the results of the profile for ChatGPT', async () => {
    expect(await callAll(CHATGPT_CATALOG, CHATGPT_CALLS, '?toolsets=chatgpt', known)).toEqual([]);
  });

  it.each(['legacy', 'modern'] as const)(
    'does not arrive in lists, resources, prompts and completions, %s era',
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
        expect(arrivedIn(await send(era, method, params), `${method} ${era}`)).toEqual([]);
    },
  );
});
