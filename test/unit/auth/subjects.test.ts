import { describe, expect, it } from 'vitest';
import { grantFor } from '../../support/grants.ts';
import { callTool, rpc, structured } from '../../support/mcp-call.ts';

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
    expect((await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/' }, { token })).error?.code).toBe(
      -32_602,
    );
  });
});
