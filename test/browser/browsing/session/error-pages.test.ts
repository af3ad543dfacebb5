import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const WHO = 'http://login.acme.dev/who';
/** The server of the tests speaks no TLS, so that the connection fails. */
const DEAD = 'https://login.acme.dev/who';
const FAILED = `Error fetch_failed: ${DEAD} could not be fetched: no secure connection to the site could be made.`;

let token = '';
beforeAll(async () => {
  token = await grantFor('u_errors', ['web:read', 'browser:use', 'browser:evaluate']);
});

async function call(tool: string, args: Record<string, unknown>): Promise<string> {
  const { result } = await callTool('modern', tool, args, { token });
  return (result?.content ?? []).map(({ text }) => text).join('\n');
}

describe('a tab that shows the error page of the browser', () => {
  it('is named in every answer, with the call that leads back', { timeout: 60_000 }, async () => {
    const at = { session: 'dead' };
    const told = `Tab t1 shows the browser's error page. To return to the page before it, call browser_navigate {"history":"back","session":"dead"}.`;
    await call('browser_navigate', { url: WHO, ...at });
    const failed = await call('browser_navigate', { url: DEAD, ...at });
    expect(failed).toContain(FAILED);
    expect(failed).toContain(told);
    expect(await call('browser_snapshot', at)).toContain(`Note: ${told}`);
    for (const [tool, args] of [
      ['browser_read', {}],
      ['browser_navigate', { history: 'reload' }],
    ] as const) {
      const text = await call(tool, { ...args, ...at });
      expect(text).toContain(FAILED);
      expect(text).toContain(told);
    }
    const missing = await call('browser_click', { selector: 'button "Ask"', ...at });
    expect(missing).toContain('Error element_not_found');
    expect(missing).toContain(told);
    const back = await call('browser_navigate', { history: 'back', ...at });
    expect(back).toContain(`Opened.\nIn session dead\nURL: ${WHO}`);
    expect(back).not.toContain('error page');
    expect(await call('browser_navigate', { history: 'forward', ...at })).toContain(FAILED);
    await call('browser_navigate', { history: 'back', ...at });
    const left = await call('browser_evaluate', { script: `location = '${DEAD}'`, ...at });
    expect(left).toContain(`Note: ${told}`);
    expect(left).not.toContain('A different page is open now.');
    await call('browser_close', at);
  });

  it('is not told to go back if it showed no page before', { timeout: 60_000 }, async () => {
    const at = { session: 'first' };
    const failed = await call('browser_navigate', { url: DEAD, ...at });
    expect(failed).toContain(`Tab t1 shows the browser's error page.`);
    expect(failed).not.toContain('"history"');
    await call('browser_navigate', { url: WHO, ...at });
    const other = await call('browser_navigate', { url: DEAD, new_tab: true, ...at });
    expect(other).toContain(`Tab t2 shows the browser's error page.`);
    expect(other).not.toContain('"history"');
    await call('browser_close', at);
  });
});
