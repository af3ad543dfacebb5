import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const SITE = 'http://files.acme.dev';
const TIMEOUT_MS = 20_000;

let token = '';
beforeAll(async () => {
  token = await grantFor('u_stops', ['web:read', 'browser:use']);
});

describe('a page that stops its own loading and goes to an address of its server', () => {
  it.each([
    ['without a document', '/stops-for-nothing', null],
    ['of a file', '/stops-for-file', /^file f_\w+ "stopped\.txt"/mu],
  ] as const)('is opened before the timeout: %s', { timeout: 60_000 }, async (_, path, event) => {
    const args = { url: `${SITE}${path}`, timeout_ms: TIMEOUT_MS, snapshot: true, session: 'stops' };
    const { result } = await callTool('modern', 'browser_navigate', args, { token });
    expect(result?.structuredContent).toMatchObject({ tab: { url: args.url }, still_loading: false });
    expect(result?.content?.[0]?.text).toContain('Ready');
    if (event !== null) expect(result?.content?.[0]?.text).toMatch(event);
    await callTool('modern', 'browser_close', { session: 'stops' }, { token });
  });
});
