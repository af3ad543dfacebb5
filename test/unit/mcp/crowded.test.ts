import { describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { rpc } from '#support/mcp-call.ts';
import { CALL_PLACES } from '#client/limits.ts';
import { crowded } from '#mcp/crowded.ts';

describe('more requests of one person than are worked at at a time', () => {
  it('are all answered, one after the other', async () => {
    const token = await grantFor('many-at-once', ['web:read']);
    const many = Array.from({ length: 4 * CALL_PLACES.max }, (_, at) =>
      rpc(at % 2 === 0 ? 'legacy' : 'modern', 'tools/list', {}, { token }),
    );
    for (const answer of await Promise.all(many)) expect(answer.error).toBeUndefined();
  });

  it('are refused in the words of the protocol when there is no room in time', async () => {
    const answer = crowded({
      code: 'rate_limited',
      budget: 'calls at once',
      scope: 'subject',
      setting: null,
      retryAfterSeconds: 1,
    });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: {
        message: expect.stringContaining('Make fewer calls at the same time.'),
        data: { error: 'rate_limited' },
      },
    });
  });
});
