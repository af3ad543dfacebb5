import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool, LOCAL_TOKEN, MCP_URL, rpc, structured } from '#support/mcp-call.ts';
import { CALL_PERMIT_RULE } from '#client/limits.ts';
import { UNRESERVED_BODY_BYTES_MAX } from '#core/limits.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { overloadedResponse } from '#mcp/run/run-other-request.ts';

describe('concurrent requests of one user beyond the limit', () => {
  it('are all answered, one after the other', async () => {
    const token = await grantFor('many-at-once', ['web:read']);
    const many = Array.from({ length: 4 * CALL_PERMIT_RULE.max }, (_, at) =>
      rpc(at % 2 === 0 ? 'legacy' : 'modern', 'tools/list', {}, { token }),
    );
    for (const answer of await Promise.all(many)) expect(answer.error).toBeUndefined();
  });

  it('are refused as a protocol error when there is no room in time', async () => {
    const answer = overloadedResponse({
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

describe('a very large request', () => {
  const line = '<p>The keeper lights the lamp.</p>';
  const html = `<main><h1>Lamps</h1>${line.repeat(UNRESERVED_BODY_BYTES_MAX / line.length)}</main>`;

  it('is accepted by a tool that reads long texts, also many at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => callTool('modern', 'web_extract', { html })));
    for (const answer of answers) expect(structured(answer)['title']).toBe('Lamps');
  });

  it('is refused by other tools before any work, and the refusal names the tool that accepts it', async () => {
    const params = { name: 'open_url', arguments: { url: 'docs.acme.dev/long' }, _meta: { more: html } };
    const answer = await exports.default.fetch(MCP_URL, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${LOCAL_TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({
      error: 'request_too_large',
      error_description: expect.stringMatching(new RegExp(`${UNRESERVED_BODY_BYTES_MAX}.*web_extract`)),
    });
  });

  it('is refused with a retry time when there is no memory for it', async () => {
    const failure = { code: 'overloaded', retryAfterSeconds: 5, of: 'memory' } as const;
    const { message, hint } = describeFailure(failure);
    expect(`${message} ${hint}`).toMatch(/large pages as its memory holds.*Wait 5 s, then try again/);
    const answer = overloadedResponse(failure);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
  });
});
