import { describe, expect, it } from 'vitest';
import { ToolListCache } from '#mcp/listed-tools.ts';
import type { Scope } from '#core/principal.ts';
import { rpc } from '../../support/mcp-call.ts';

const ABILITIES = { webSearch: true, browser: true, scripts: true };
const LIST = { jsonrpc: '2.0', method: 'tools/list', params: {} };

type Asked = {
  message?: Record<string, unknown>;
  scopes?: Scope[];
  query?: string;
  agent?: string;
  session?: string;
  abilities?: typeof ABILITIES;
  answer?: Record<string, unknown>;
};

/** Counts the answers that are built, from 1. @returns the count and the id of an answer */
function asker() {
  const listed = new ToolListCache();
  let made = 0;
  return async (
    { message = LIST, scopes = ['web:read'], query = '', agent = 'a', session, answer, ...more }: Asked,
    id = 1,
  ) => {
    const request = new Request(`https://reader.acme.dev/mcp${query}`, {
      headers: { 'user-agent': agent, ...(session === undefined ? {} : { 'mcp-session-id': session }) },
    });
    const caller = {
      origin: 'https://reader.acme.dev',
      principal: { subject: 'ann', scopes },
      abilities: more.abilities ?? ABILITIES,
    };
    const given = await listed.answer(request, { ...message, id }, caller, async () => {
      made += 1;
      return Response.json({ jsonrpc: '2.0', id, ...(answer ?? { result: { made } }) });
    });
    return given.json();
  };
}

describe('the list of tools', () => {
  it('is computed once for identical requests, and sent to each with its own id', async () => {
    const ask = asker();
    await ask({}, 7);
    expect(await ask({}, 8)).toEqual({ jsonrpc: '2.0', id: 8, result: { made: 1 } });
  });

  it.each([
    ['other permissions', { scopes: ['web:read', 'browser:use'] }],
    ['another connector URL', { query: '?toolsets=reader' }],
    ['another client', { agent: 'b' }],
    ['other abilities of the deployment', { abilities: { ...ABILITIES, webSearch: false } }],
    ['other parameters', { message: { ...LIST, params: { cursor: 'x' } } }],
    ['another method', { message: { ...LIST, method: 'ping' } }],
  ] satisfies [string, Asked][])('is computed separately for %s', async (_, asked) => {
    const ask = asker();
    await ask({});
    expect(await ask(asked)).toMatchObject({ result: { made: 2 } });
  });

  it('is the same for every session', async () => {
    const ask = asker();
    await ask({ session: 'client.one' });
    expect(await ask({ session: 'client.two' })).toMatchObject({ result: { made: 1 } });
  });

  it('is computed again after an error, and for an unusual message', async () => {
    const ask = asker();
    expect(await ask({ answer: { error: { code: -32_603 } } })).toMatchObject({ error: {} });
    expect(await ask({})).toMatchObject({ result: { made: 2 } });
    const long = { message: { ...LIST, params: { cursor: 'x'.repeat(5_000) } } };
    await ask(long);
    expect(await ask(long)).toMatchObject({ result: { made: 4 } });
  });

  it('is cached for a limited number of variants, the latest ones', async () => {
    const ask = asker();
    for (let agent = 0; agent < 17; agent += 1) await ask({ agent: `agent ${agent}` });
    expect(await ask({ agent: 'agent 16' })).toMatchObject({ result: { made: 17 } });
    expect(await ask({ agent: 'agent 0' })).toMatchObject({ result: { made: 18 } });
  });

  it('is the same through the whole endpoint when it is requested again', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      const first = await rpc(era, 'tools/list');
      expect(first.result?.tools?.length).toBeGreaterThan(10);
      expect(await rpc(era, 'tools/list')).toEqual(first);
    }
  });
});
