import { describe, expect, it } from 'vitest';
import { callTool, structured } from '#support/mcp-call.ts';

const SITE = 'https://slow.acme.dev';
const WORDS = 'This page takes its time, and it is worth the wait.';

/** A call whose client disconnects: the platform cancels the request and stops its work. */
async function openAndLeave(url: string, afterMs: number): Promise<void> {
  const leaving = new AbortController();
  const call = callTool('modern', 'open_url', { url }, { signal: leaving.signal });
  setTimeout(() => leaving.abort(), afterMs);
  await expect(call).rejects.toThrow(/abort/i);
}

const visits = async (path: string) => (await fetch(`${SITE}/visits?of=${path}`)).json();

describe('a client that disconnects while its page is fetched', () => {
  it('does not delay the next client, who gets the page already requested', async () => {
    const url = `${SITE}/left`;
    await openAndLeave(url, 700);
    const opened = structured(await callTool('modern', 'open_url', { url }));
    expect(opened['text']).toContain(WORDS);
    // A caller that had waited for the end of the lease would have fetched the page again.
    expect(await visits('/left')).toBe(1);
  });
});
