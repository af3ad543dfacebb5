import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowAsOwner } from '#support/person.ts';
import { programOf } from '#support/run-program.ts';
import { scratchHome } from '#support/server.ts';
import { newPerson, sharedServer } from '#support/shared.ts';
import type { SharedServer } from '#support/shared.ts';

/** `mcp-remote`, by which a client that speaks stdio alone reaches a server that is elsewhere. */

const BRIDGE = programOf('mcp-remote', 'mcp-remote');

let server: SharedServer;
let own: ReturnType<typeof scratchHome>;

beforeAll(async () => {
  own = scratchHome();
  server = await sharedServer();
});
afterAll(() => own?.remove());

/** @param onMessage called with each line that the bridge prints for its user */
async function bridge(args: string[], onMessage: (printed: string) => void = () => undefined): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BRIDGE, server.mcpUrl, ...args, '--transport', 'http-only'],
    // No program to open pages with: the address is printed.
    env: { HOME: own.home, MCP_REMOTE_CONFIG_DIR: own.home, PATH: '' },
    stderr: 'pipe',
  });
  let printed = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
    onMessage(printed);
  });
  const client = new Client({ name: 'periscope-test', version: '1.0.0' });
  await client.connect(transport, { timeout: 120_000 });
  return client;
}

async function extract(client: Client): Promise<string> {
  const result = await client.callTool({ name: 'web_extract', arguments: { html: '<p>The weir is open.</p>' } });
  return JSON.stringify(CallToolResultSchema.parse(result).content);
}

describe('mcp-remote', () => {
  it('carries calls with a token in a header', async () => {
    const { token } = await newPerson('bridge');
    const client = await bridge(['--header', `Authorization:Bearer ${token}`]);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('open_url');
    expect(await extract(client)).toContain('The weir is open.');
    await client.close();
  });

  it('signs a user in, and stays connected the next time', async () => {
    const people: Promise<unknown>[] = [];
    const client = await bridge([], (printed) => {
      const asked = /^http:\/\/localhost:\d+\/authorize\?\S+$/m.exec(printed)?.[0];
      if (asked !== undefined && people.length === 0)
        people.push(allowAsOwner(asked, server.passphrase).then((answer) => fetch(answer)));
    });
    expect(people).toHaveLength(1);
    await Promise.all(people);
    expect(await extract(client)).toContain('The weir is open.');
    await client.close();

    let printedAgain = '';
    const again = await bridge([], (printed) => (printedAgain = printed));
    expect(await extract(again)).toContain('The weir is open.');
    await again.close();
    expect(printedAgain).not.toContain('/authorize?');
  });
});
