import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { partNamed } from '#core/objects.ts';
import { unwrittenActivity } from '#telemetry/call-counts.ts';
import { emptyStorage } from '#support/empty-storage.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const EVERYTHING = { kind: undefined, client: undefined, day: undefined };

describe('activity that has not been written yet', () => {
  it('is not written into storage that was emptied meanwhile, because its pages are gone', async () => {
    const subject = 'somebody-of-an-earlier-file';
    const token = await grantFor(subject, ['web:read']);
    const opened = await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/long' }, { token });
    expect(opened.result?.isError).not.toBe(true);
    expect(unwrittenActivity.get(subject)?.items).toHaveLength(1);
    await emptyStorage();
    await vi.waitUntil(() => !unwrittenActivity.has(subject), 60_000);
    const { deeds } = await partNamed(env.PERSON_STORE, subject, 'history').deeds(EVERYTHING, null, 10);
    expect(deeds).toEqual([]);
  });
});
