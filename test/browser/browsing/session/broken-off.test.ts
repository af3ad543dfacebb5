import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

let token = '';
beforeAll(async () => {
  token = await grantFor('u_broken_off', ['browser:use']);
});

async function call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const { result, error } = await callTool('modern', tool, args, { token });
  if (result === undefined) throw new Error(error?.message);
  return (result.content ?? []).map(({ text }) => text).join('\n');
}

describe('a document whose connection breaks', { timeout: 120_000 }, () => {
  const url = 'http://slow.acme.dev/broken-off';

  it.each(['load', 'domcontentloaded', 'networkidle'])('is shown as far as it came, awaiting %s', async (until) => {
    const opened = await call('browser_navigate', { url, wait_until: until, timeout_ms: 20_000, snapshot: true });
    expect(opened).toContain('The connection broke, so only the beginning of the page came.');
    expect(opened).toContain('# First half');
    expect(opened).not.toContain('still loading');
    const next = await call('browser_navigate', { url: 'http://look.ruled.dev/', snapshot: true });
    expect(next).toContain('Balance');
    expect(next).not.toContain('request failed');
    expect(next).not.toContain('The connection broke');
  });

  it('is shown after a reload and a move in the history, too', async () => {
    await call('browser_navigate', { url });
    const reloaded = await call('browser_navigate', { history: 'reload', snapshot: true });
    expect(reloaded).toContain('The connection broke');
    expect(reloaded).toContain('# First half');
    await call('browser_navigate', { url: 'http://look.ruled.dev/' });
    expect(await call('browser_navigate', { history: 'back', snapshot: true })).toContain('# First half');
    await call('browser_close');
  });
});

describe('a large document that never finishes loading', { timeout: 120_000 }, () => {
  it('is viewed in parts, and its elements are found', async () => {
    const url = 'http://slow.acme.dev/stalled-large';
    expect(await call('browser_navigate', { url, timeout_ms: 3_000 })).toContain('still loading');
    const [ref = ''] = /@e\d+/.exec(await call('browser_snapshot', { find: 'Go on' })) ?? [];
    expect(ref).not.toBe('');
    expect(await call('browser_snapshot')).toContain('# First part');
    expect(await call('browser_click', { selector: ref })).toContain('Clicked');
    await call('browser_close');
  });
});

describe('a document whose compressed body is damaged', { timeout: 120_000 }, () => {
  it('is shown as far as it came, with a note', async () => {
    const opened = await call('browser_navigate', { url: 'http://slow.acme.dev/deflate-damaged' });
    expect(opened).toContain('Opened.');
    expect(opened).toContain('The compressed body of the page is damaged, so only its beginning came.');
    expect(await call('browser_snapshot', { find: 'First half' })).toContain('# First half');
  });

  it.each(['br-damaged', 'br-cut', 'zstd-damaged', 'zstd-cut'])('has not opened if nothing came: %s', async (path) => {
    expect(await call('browser_navigate', { url: `http://slow.acme.dev/${path}` })).toContain(
      'could not be fetched: its compressed body is damaged or cut off.',
    );
  });
});
