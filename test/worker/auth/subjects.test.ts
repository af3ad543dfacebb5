import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { grantFor, grantTokens } from '../../support/grants.ts';
import { callTool, MCP_URL, rpc, structured } from '../../support/mcp-call.ts';
import { storePage } from '../../support/stored-pages.ts';
import { connect, personsBrowser, refresh, register } from '../../support/oauth-journey.ts';

describe('subjects', () => {
  it("never see each other's cursors, whatever they send", async () => {
    const [alice, bob] = await Promise.all([grantFor('alice', ['web:read']), grantFor('bob', ['web:read'])]);
    const opened = structured(
      await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/alarms' }, { token: alice }),
    );
    for (const tool of ['scroll', 'find', 'open_result']) {
      const args = {
        cursor: opened['cursor'],
        ...(tool === 'find' && { pattern: 'a' }),
        ...(tool === 'open_result' && { result_id: 1 }),
      };
      const { result } = await callTool('modern', tool, args, { token: bob });
      expect(result?.isError).toBe(true);
      expect(result?.structuredContent).toMatchObject({ error: 'unknown_cursor' });
    }
    structured(await callTool('modern', 'scroll', { cursor: opened['cursor'] }, { token: alice }));
  });

  it("never see each other's private pages, by their snapshot, as a resource or in a list", async () => {
    const lines = ['Only Alice was signed in when she read this sentence.'];
    const { key } = await storePage({ url: 'https://docs.acme.dev/account', lines, owner: 'alice', heldUntil: 9e15 });
    const [alice, bob] = await Promise.all([
      grantFor('alice', ['web:read', 'cache:purge']),
      grantFor('bob', ['web:read', 'cache:purge']),
    ]);
    const ways = [
      (token: string) => callTool('modern', 'cache_get', { snapshot: key }, { token }),
      (token: string) => rpc('modern', 'resources/read', { uri: `resource://cache/${key}` }, { token }),
    ];
    for (const way of ways) {
      expect(JSON.stringify(await way(alice))).toContain('Only Alice');
      expect(JSON.stringify(await way(bob))).not.toContain('Only Alice');
    }
    const meta = await rpc('modern', 'resources/read', { uri: `resource://meta/${key}` }, { token: bob });
    expect(JSON.stringify(meta)).not.toContain('/account');
    expect(JSON.stringify(await rpc('modern', 'resources/list', {}, { token: alice }))).toContain(key);
    expect(JSON.stringify(await rpc('modern', 'resources/list', {}, { token: bob }))).not.toContain(key);
    const purge = { snapshot: key, dry_run: false };
    expect(JSON.stringify(await callTool('modern', 'cache_purge', purge, { token: bob }))).not.toContain('/account');
    expect(JSON.stringify(await callTool('modern', 'cache_get', { snapshot: key }, { token: alice }))).toContain(
      'Only Alice',
    );
  });

  it('keep their cursors across grants: connecting again changes nothing', async () => {
    const first = await grantFor('carol', ['web:read']);
    const opened = structured(
      await callTool('legacy', 'open_url', { url: 'https://docs.acme.dev/long' }, { token: first }),
    );
    const second = await grantFor('carol', ['web:read']);
    const again = structured(await callTool('modern', 'scroll', { cursor: opened['cursor'] }, { token: second }));
    expect(again['text']).toBe(opened['text']);
  });

  it('without the scope of a toolset neither see nor reach its tools', async () => {
    const token = await grantFor('dave', ['cache:purge']);
    const { result } = await rpc('modern', 'tools/list', {}, { token });
    expect(result?.tools?.map((tool) => tool.name)).toEqual(['cache_purge']);
  });

  it('get the scopes that each tool needs where ChatGPT reads them', async () => {
    const token = await grantFor('dave', ['cache:purge']);
    for (const era of ['legacy', 'modern'] as const) {
      const { result } = await rpc(era, 'tools/list', {}, { token });
      const securitySchemes = [{ type: 'oauth2', scopes: ['cache:purge'] }];
      expect(result?.tools).toEqual([expect.objectContaining({ _meta: { securitySchemes } })]);
    }
  });

  it('that call a tool they were not granted get all scopes they need, in the header and in the result', async () => {
    const token = await grantFor('dave', ['cache:purge']);
    const response = await exports.default.fetch(MCP_URL, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'open_url', arguments: { url: 'https://docs.acme.dev/' } },
      }),
    });
    expect(response.status).toBe(403);
    const header = response.headers.get('www-authenticate');
    expect(header).toContain('error="insufficient_scope"');
    expect(header).toContain('scope="cache:purge web:read"');
    expect(header).toContain('resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"');
    const answer = await response.json<{ id: number; result: Record<string, unknown> }>();
    expect(answer.id).toBe(7);
    expect(answer.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/^Error permission_denied: open_url needs .*web:read/) }],
      _meta: { 'mcp/www_authenticate': [header] },
    });
  });

  it('have the scopes of their token, not of the grant behind it', async () => {
    const wide = await grantTokens('erin', ['web:read', 'cache:purge']);
    const narrow = await refresh(wide, { scope: 'web:read' });
    const { result } = await rpc('modern', 'tools/list', {}, { token: narrow.access_token });
    const names = result?.tools?.map((tool) => tool.name);
    expect(names).toContain('open_url');
    expect(names).not.toContain('cache_purge');
  });

  it('are the same for the owner who signs in and for the token of this machine', async () => {
    const browser = personsBrowser();
    const token = (await connect(browser, await register())).access_token;
    const opened = structured(await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/alarms' }, { token }));
    const again = structured(await callTool('modern', 'scroll', { cursor: opened['cursor'] }));
    expect(again['text']).toBe(opened['text']);
  });
});
