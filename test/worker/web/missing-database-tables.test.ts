import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool, MCP_URL, rpc } from '#support/mcp-call.ts';
import { textOf } from '#support/oauth-browser.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { serverWith } from '#support/server-with.ts';

/** Words of a database error, next to which the parameters of its query would be. */
const OF_A_QUERY = /select |insert |update |delete |params|sqlite|no such table|d1_error|Failed query/i;

let token = '';
beforeAll(async () => {
  token = await grantFor('reader-without-tables', ['web:read', 'cache:purge']);
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE %' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'`,
  ).all<{ name: string }>();
  // The tables of the full-text index go with it.
  const own = results.filter(({ name }) => !/_(?:data|idx|content|docsize|config)$/.test(name));
  await env.DB.batch([
    env.DB.prepare('PRAGMA defer_foreign_keys = ON'),
    ...own.map(({ name }) => env.DB.prepare(`ALTER TABLE "${name}" RENAME TO "gone_${name}"`)),
  ]);
}, 60_000);
afterEach(() => void vi.restoreAllMocks());

describe('a deployment whose tables are missing', () => {
  it('answers a request with an access token with an internal error, without the query and its subject', async () => {
    const response = await exports.default.fetch(MCP_URL, {
      method: 'POST',
      headers: { authorization: `Bearer psc_${'a'.repeat(43)}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({
      error: 'server_error',
      error_description: expect.stringMatching(/request/),
    });
    expect(text).not.toMatch(OF_A_QUERY);
  });

  it.each([
    ['open_url', { url: 'https://docs.acme.dev/alarms' }],
    ['web_open', { url: 'https://docs.acme.dev/alarms' }],
    ['search', { query: 'walrus' }],
    ['web_search', { query: 'walrus' }],
    ['cache_get', { snapshot: 'a'.repeat(64) }],
    ['cache_purge', { domain: 'docs.acme.dev' }],
  ])('answers %s without text of a query', async (name, args) => {
    expect(JSON.stringify(await callTool('modern', name, args, { token }))).not.toMatch(OF_A_QUERY);
  });

  it.each([
    ['resources/list', {}],
    ['resources/read', { uri: `resource://cache/${'a'.repeat(64)}` }],
    ['prompts/get', { name: 'docs_summarize_for_coding', arguments: { snapshot: 'a'.repeat(64) } }],
  ])('answers %s without text of a query', async (method, params) => {
    expect(JSON.stringify(await rpc('legacy', method, params, { token }))).not.toMatch(OF_A_QUERY);
  });

  it('is not ready, and explains what to do', async () => {
    const log = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
    const response = await serverWith({})(new Request(`${ORIGIN}/healthz`));
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'not_ready', why: expect.stringContaining('npm run deploy') });
    expect(events(log)).toEqual(['not_ready']);
  });

  it.each(['/', '/healthz', '/console', '/console/tokens', '/authorize', '/sign-in', '/health'])(
    'shows %s without text of a query',
    async (path) => {
      const response = await serverWith({})(new Request(ORIGIN + path));
      expect(textOf(await response.text())).not.toMatch(OF_A_QUERY);
    },
  );
});

/** The Worker's own events in the log. */
function events(spies: readonly { mock: { calls: unknown[][] } }[]): string[] {
  return spies.flatMap(({ mock }) => mock.calls.map(([line]) => (JSON.parse(String(line)) as { event: string }).event));
}
