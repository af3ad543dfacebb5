import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectModern } from '#support/mcp-clients.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';
import { startSite } from '#support/site.ts';
import type { Site } from '#support/site.ts';

/** `npm start` without a browser, and an official MCP client with the local token. */

let site: Site;
let server: TestServer;

beforeAll(async () => {
  site = await startSite();
  server = await startServer({ ALLOWED_PRIVATE_HOSTS: site.host, RENDER_ENABLED: 'false' });
});
afterAll(async () => {
  await server?.close();
  await site?.close();
});

it('the built Worker starts, and a client opens a page and cites it', async () => {
  const client = await connectModern(server);
  try {
    expect(await client.toolNames()).toEqual(expect.arrayContaining(['search', 'open_url', 'cite']));
    const opened = await client.call('open_url', { url: `${site.url}/lighthouse` });
    expect(opened.text).toContain('Augustin Fresnel cut it into rings');
    const { cursor } = opened.structured;
    const cited = await client.call('cite', { cursor, quote: 'No two lights on one coast flash alike.' });
    expect(cited).toMatchObject({ isError: false });
    expect(cited.text).toContain(`${new URL(server.mcpUrl).origin}/c/${String(cursor)}/L`);
  } finally {
    await client.close();
  }
});

it('a server without a browser lists no tool that needs one, and still names the tool that a client calls', async () => {
  const client = await connectModern(server);
  try {
    expect((await client.toolNames()).filter((name) => name.startsWith('browser_'))).toEqual([]);
    await expect(client.call('browser_navigate', { url: site.url })).rejects.toThrow(/browser_navigate/);
  } finally {
    await client.close();
  }
});
