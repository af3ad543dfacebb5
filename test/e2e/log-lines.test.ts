import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { linesToPrint } from '#scripts/local/runtime.ts';
import { Browser, pageOf } from '#support/oauth-browser.ts';
import { htmlPage, send, startOrigin } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

/**
 * Nothing that a model, a person, a client or a page says is in a line of the log. Every string that a tool takes is given
 * a word of its own, and all that `npm start` prints is searched for these words.
 */

const PASSPHRASE = 'nine herons beside the log';

/** Each given word's place, by the number in the word. */
const given: string[] = [];

/** A word that nothing else contains. It is fit to be the name of a session, too. */
function mark(where: string): string {
  given.push(where);
  return `zqmark${given.length - 1}e`;
}

function foundIn(output: string): string[] {
  const numbers = new Set([...output.matchAll(/zqmark(\d+)e/giu)].map(([, number]) => Number(number)));
  return [...numbers].map((number) => given[number] ?? `word ${number}`);
}

let site: Origin;
let server: TestServer;
let origin = '';

beforeAll(async () => {
  const page = htmlPage(
    mark('title of a page'),
    `<p>Walruses ${mark('text of a page')} rest on the ice of the northern sea, as everybody knows.</p>
     <form action="/done" id="form"><input id="name" name="name"><input name="mail" id="mail"><input type="file" id="file">
       <button id="go">Send</button></form>
     <script>console.log('${mark('console')}'); console.error('${mark('console error')}');
       setTimeout(() => { throw new Error('${mark('error of a page')}\\n    at ${mark('frame of an error')} (x.js:1:2)') });
       fetch('/missing?${mark('request of a page')}')</script>`,
  );
  site = await startOrigin({
    '/page': send(page, {
      etag: `"${mark('ETag')} \u00c2\u00ad"`,
      'content-language': mark('content-language'),
      'x-robots-tag': mark('x-robots-tag'),
    }),
    '/done': send(htmlPage('Done', '<p>Thank you for what you sent to the walruses today.</p>')),
    '/moves': (_request, response) =>
      void response.writeHead(302, { location: `http://127.0.0.1:1/${mark('redirect')}` }).end(),
    '/file': send('words in a file', { 'content-disposition': `attachment; filename=${mark('file name')}.txt` }),
  });
  server = await startServer({
    ALLOWED_PRIVATE_HOSTS: site.host,
    OWNER_PASSPHRASE: PASSPHRASE,
    CACHE_TTL_SECONDS: '0',
    BUDGET_CALLS_PER_MINUTE: '100000',
  });
  origin = new URL(server.mcpUrl).origin;
});
afterAll(async () => {
  await server?.close();
  await site?.close();
});

async function post(body: string, headers: Record<string, string> = {}, to = server): Promise<string> {
  const response = await fetch(to.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${to.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body,
  });
  return response.text();
}

/** Names of tools in the order in which they were called. */
const called: string[] = [];

async function rpc(method: string, params: unknown, to = server): Promise<Record<string, unknown>> {
  const text = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), {}, to);
  const message: unknown = JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/mu.exec(text)?.[1] ?? '{}'));
  return z.object({ result: z.record(z.string(), z.unknown()).catch({}) }).parse(message).result;
}

async function call(name: string, args: Record<string, unknown>, query = ''): Promise<Record<string, unknown>> {
  called.push(name);
  const result = await rpc('tools/call', { name, arguments: args }, offering(query));
  return z.record(z.string(), z.unknown()).catch({}).parse(result['structuredContent']);
}

const schemaOf = z.looseObject({
  type: z.unknown(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

/** Values for what a schema describes, each with a string of it replaced by `put(path)`. */
function marked(schema: unknown, path: string, put: (path: string) => string): unknown[] {
  const { type, properties, items, anyOf } = schemaOf.parse(schema ?? {});
  if (anyOf !== undefined) return anyOf.flatMap((one) => marked(one, path, put));
  if (items !== undefined) return marked(items, `${path}[]`, put).map((value) => [value]);
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, inner]) =>
      marked(inner, `${path}.${name}`, put).map((value) => ({ [name]: value })),
    );
  }
  return type === 'string' || (Array.isArray(type) && type.includes('string')) ? [put(path)] : [];
}

const toolsList = z.object({ tools: z.array(z.object({ name: z.string(), inputSchema: schemaOf })) });
type ToolOffer = z.infer<typeof toolsList>['tools'][number] & { query: string };

async function offers(query: string): Promise<ToolOffer[]> {
  const { tools } = toolsList.parse(await rpc('tools/list', {}, offering(query)));
  return tools.map((tool) => ({ ...tool, query }));
}

/** The server with the tools that a query of its address selects. */
function offering(query: string): TestServer {
  return { ...server, mcpUrl: server.mcpUrl + query };
}

/** Arguments that a call needs to work, besides the marked word. */
function plain(name: string, schema: unknown, known: Record<string, unknown>): unknown {
  const { type, enum: choices } = schemaOf.parse(schema);
  if (name in known) return known[name];
  if (choices !== undefined) return choices[0];
  if (type === 'array') return ['x'];
  return type === 'string' ? 'x' : type === 'boolean' ? false : 1;
}

const isAddress = (member: string) => /^urls?$/u.test(member);

/**
 * Calls the tool with a marked word in each string, one at a time. Addresses get it as a word, and as part of the
 * site's address.
 */
async function feed({ name, inputSchema, query }: ToolOffer, known: Record<string, unknown>): Promise<string[]> {
  const { properties = {}, required = [] } = inputSchema;
  const base = Object.fromEntries(required.map((one) => [one, plain(one, properties[one], known)]));
  const fed: string[] = [];
  for (const [member, schema] of Object.entries(properties)) {
    const ways = isAddress(member)
      ? [
          (word: string) => word,
          (word: string) => `${site.url}/page?name=${word}&mail=a%40b.c#${word}`,
          (word: string) => `${site.url}/${word}`,
          (word: string) => `${site.url}/moves?${word}`,
          (word: string) => `http://127.0.0.1:1/${word}`,
        ]
      : [(word: string) => word];
    for (const way of ways) {
      const values = marked(schema, `${name}.${member}`, (path) => {
        fed.push(path);
        return way(mark(path));
      });
      for (const value of values) await call(name, { ...base, [member]: value }, query);
    }
  }
  return fed;
}

/** Tools that wait for a user or end the session come last. */
const LAST: readonly string[] = ['browser_close', 'browser_handoff'];

async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`no ${what}`);
    await new Promise((again) => setTimeout(again, 50));
  }
}

const linesOf = (tool: string) => server.output().split(`"tool":"${tool}"`).length - 1;

describe('the output of npm start', () => {
  it('has a line for each call of each tool, and no text of its arguments', { timeout: 900_000 }, async () => {
    await call('browser_navigate', { url: `${site.url}/page` });
    const opened = await call('web_open', { url: `${site.url}/page`, mode: 'rendered' });
    const known = {
      url: `${site.url}/page`,
      urls: [`${site.url}/page`],
      cursor: opened['cursor'],
      snapshot: opened['snapshot'],
      html: htmlPage('T', '<p>Walruses rest on the ice of the northern sea.</p>'),
      query: 'walruses',
      pattern: 'walruses',
      quote: 'rest on the ice',
      selector: '#name',
      selectors: ['#name'],
      values: ['x'],
    };
    const tools = [...(await offers('')), ...(await offers('?toolsets=chatgpt'))];
    tools.sort((a, b) => LAST.indexOf(a.name) - LAST.indexOf(b.name));
    const fed = new Map<string, string[]>();
    for (const tool of tools) fed.set(tool.name, await feed(tool, known));
    expect(fed.size).toBeGreaterThan(28);
    expect([...fed].filter(([, paths]) => paths.length === 0)).toEqual([]);
    for (const name of new Set(called)) {
      await until(`line of ${name}`, () => linesOf(name) === called.filter((one) => one === name).length);
    }
    expect(foundIn(server.output())).toEqual([]);
  });

  it('has no content of a form that is sent in a URL', async () => {
    const session = 'forms';
    await call('browser_navigate', { url: `${site.url}/page`, session });
    const values = [mark('name in a form'), `${mark('mail in a form')}@b.c`];
    await call('browser_fill', { session, selectors: ['#name', '#mail'], values });
    await call('browser_click', { session, selector: '#go' });
    const { url } = z
      .object({ tab: z.object({ url: z.string() }) })
      .parse(await call('browser_snapshot', { session })).tab;
    expect(foundIn(url)).toEqual(['name in a form', 'mail in a form']);
    await call('browser_read', { session });
    await call('browser_screenshot', { session });
    await call('open_url', { url });
    await call('web_open', { url, mode: 'rendered' });
    await call('browser_navigate', { url: `${site.url}/file`, session });
    await until(
      'line',
      () => linesOf('browser_screenshot') === called.filter((one) => one === 'browser_screenshot').length,
    );
    expect(foundIn(server.output())).toEqual([]);
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"tool":"browser_read"'));
    const last: unknown = JSON.parse(lines.at(-1) ?? '{}');
    expect(last).toMatchObject({ origin: site.url, url_hash: expect.stringMatching(/^[0-9a-f]{12}$/u) });
    expect(last).not.toHaveProperty('url');
  });

  it('has no content of refused messages, prompts, resources and completions', async () => {
    await post(`{"jsonrpc": "2.0", "${mark('broken JSON')}`);
    await rpc(mark('a method'), { a: mark('its parameters') });
    await rpc('tools/call', { name: mark('a tool'), arguments: { [mark('a member')]: 1 } });
    await rpc('tools/call', { name: 'open_url', arguments: { [mark('a member of a tool')]: mark('its value') } });
    await rpc('resources/read', { uri: `resource://cache/${mark('a resource')}` });
    await rpc('resources/list', { cursor: mark('a cursor of resources') });
    for (const argument of ['url', 'snapshot', 'topic']) {
      await rpc('prompts/get', {
        name: 'docs_summarize_for_coding',
        arguments: { [argument]: `https://${mark('host of a prompt')}/${mark('argument of a prompt')}` },
      });
    }
    await rpc('prompts/get', { name: mark('a prompt'), arguments: {} });
    await rpc('completion/complete', {
      ref: { type: 'ref/prompt', name: 'docs_summarize_for_coding' },
      argument: { name: 'url', value: mark('completed') },
    });
    for (const name of [
      'mcp-session-id',
      'mcp-protocol-version',
      'last-event-id',
      'user-agent',
      'cookie',
      'authorization',
    ]) {
      await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { [name]: mark(`the header ${name}`) });
    }
    await fetch(`${server.mcpUrl}?${mark('query of the endpoint')}=1`, { method: 'POST' });
    expect(foundIn(server.output())).toEqual([]);
  });

  it('has no content of requests to OAuth endpoints and pages', async () => {
    const form = (path: string, fields: Record<string, string>) =>
      fetch(origin + path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin },
        redirect: 'manual',
      });
    const fields = (path: string, ...names: string[]) =>
      Object.fromEntries(names.map((name) => [name, mark(`${name} at ${path}`)]));
    const authorize = fields(
      '/authorize',
      'client_id',
      'redirect_uri',
      'state',
      'scope',
      'code_challenge',
      'response_type',
    );
    await fetch(`${origin}/authorize?${new URLSearchParams(authorize).toString()}`);
    await form(
      '/token',
      fields('/token', 'grant_type', 'code', 'refresh_token', 'client_id', 'code_verifier', 'resource'),
    );
    await form('/token', {
      ...fields('/token', 'code', 'client_id', 'client_secret'),
      grant_type: 'authorization_code',
    });
    for (const body of [
      { client_name: mark('client_name'), redirect_uris: [`https://a.example/${mark('redirect')}`] },
      { client_name: mark('client_name'), redirect_uris: [mark('redirect')], [mark('a member')]: mark('its value') },
    ]) {
      await fetch(`${origin}/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    }
    for (const path of [
      '/sign-in',
      '/console',
      '/c',
      '/q',
      '/live',
      '/sign-in/upstream',
      '/sign-in/oidc',
      `/${mark('a path')}`,
    ]) {
      const query = new URLSearchParams(fields(path, 'key', 'code', 'state', 'error', 'next', 'after')).toString();
      await fetch(`${origin}${path}?${query}`, { redirect: 'manual' });
      await fetch(`${origin}${path}/${mark(`below ${path}`)}?${query}`, { redirect: 'manual' });
      await form(path, fields(path, 'form', 'passphrase', 'next', 'way', 'id', 'do'));
    }
    const person = new Browser(origin, (url, init) => fetch(url, init));
    const signIn = pageOf(await person.get(`${origin}/console/secrets`));
    pageOf(await person.submit(signIn, '/sign-in', { passphrase: mark('passphrase') }));
    const { html } = pageOf(await person.submit(signIn, '/sign-in', { passphrase: PASSPHRASE }));
    const token = /name="form" value="([^"]+)"/u.exec(html)?.[1] ?? '';
    expect(token).not.toBe('');
    for (const path of [
      '/console/secrets',
      '/console/tokens',
      '/console/citations',
      '/console/files',
      '/console/activity',
      '/console/store',
      '/console/sessions',
    ]) {
      const names = ['name', 'value', 'sites', 'key', 'id', 'do', 'days', 'scope', 'session', 'from', 'query'];
      await person.post(path, [['form', token], ...Object.entries(fields(path, ...names))]);
      await person.get(`${origin}${path}?${new URLSearchParams(fields(path, 'after', 'q', 'find')).toString()}`);
    }
    expect(foundIn(server.output())).toEqual([]);
  });

  it('has no text that a user types in the live view', async () => {
    const session = 'live';
    await call('browser_navigate', { url: `${site.url}/page`, session });
    const person = new Browser(origin, (url, init) => fetch(url, init));
    const signIn = pageOf(await person.get(`${origin}/console/secrets`));
    const { html } = pageOf(await person.submit(signIn, '/sign-in', { passphrase: PASSPHRASE }));
    const form = /name="form" value="([^"]+)"/u.exec(html)?.[1] ?? '';
    const answer = pageOf(
      await person.post(`/live/${session}`, [
        ['form', form],
        ['wake', '0'],
      ]),
    );
    const { ticket } = z.object({ ticket: z.string() }).parse(JSON.parse(answer.html));
    const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ');
    const to = `${origin.replace('http', 'ws')}/live/${session}?ticket=${ticket}&page=${crypto.randomUUID()}`;
    const socket = new WebSocket(to, { headers: { cookie, origin } });
    socket.on('message', (_, isBinary) => isBinary && socket.send('{"kind":"drawn"}'));
    const heard = new Promise((resolve) =>
      socket.on(
        'message',
        (data: Buffer, isBinary) => !isBinary && data.toString().includes('"driver":"you"') && resolve(null),
      ),
    );
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"kind":"take"}');
    await heard;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (const message of [
      { kind: 'text', text: mark('typed by a person') },
      { kind: 'compose', text: mark('composed by a person') },
      { kind: 'go', url: `${site.url}/page?${mark('address that a person went to')}` },
      { kind: 'go', url: mark('words that a person went to') },
      { kind: mark('kind of a message'), text: mark('text of a message') },
    ]) {
      socket.send(JSON.stringify(message));
    }
    await closed;
    expect(foundIn(server.output())).toEqual([]);
  });

  it('has the whole URL if LOG_URLS allows it, and distinguishes users and URLs without it', async () => {
    const open = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"tool":"open_url"'));
    const lines = z
      .array(z.object({ person: z.string(), url_hash: z.string().nullable() }))
      .parse(open.map((line): unknown => JSON.parse(line)));
    expect(new Set(lines.map(({ person }) => person)).size).toBe(1);
    expect(new Set(lines.map(({ url_hash: hash }) => hash)).size).toBeGreaterThan(3);
    const other = await startServer({ ALLOWED_PRIVATE_HOSTS: site.host, LOG_URLS: 'true', RENDER_ENABLED: 'false' });
    try {
      const params = {
        name: 'open_url',
        arguments: { url: `${site.url}/page?name=${mark('with LOG_URLS')}&token=hidden77` },
      };
      await rpc('tools/call', params, other);
      await until('line', () => other.output().includes('"tool":"open_url"'));
      expect(foundIn(other.output())).toEqual(['with LOG_URLS']);
      expect(other.output()).not.toContain('hidden77');
    } finally {
      await other.close();
    }
  });
});

describe('the output of the runtime', () => {
  it('is printed without text that may quote a page', () => {
    const frame = '    at read (index.js:1:2)';
    for (const said of [
      `uncaught exception; source = Uncaught; stack = SyntaxError: Unexpected token 'h', "secret77" is not JSON\n${frame}`,
      `uncaught exception; exception = workerd/x.h:15: failed: jsg.TypeError: secret77\n at secret77\n${frame}`,
    ]) {
      const lines = linesToPrint(said);
      expect(lines.join('\n')).not.toContain('secret77');
      expect(lines).toEqual([expect.stringMatching(/^uncaught exception: \w+Error$/u), frame]);
    }
    const header = linesToPrint(
      'A header value for "if-none-match" contains non-ASCII characters: ""secret77"". As a quirk',
    );
    expect(header).toEqual(['A header value for "if-none-match" contains non-ASCII characters.']);
    expect(linesToPrint('{"level":"error"}')).toEqual(['{"level":"error"}']);
  });
});
