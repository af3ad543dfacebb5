import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { launchServer } from './local/launch.ts';
import { findFreePort } from './local/port.ts';

/** `npm run smoke`: starts the server as `npm start` does, and reads HTML through an MCP client. */

const home = mkdtempSync(join(tmpdir(), 'periscope-smoke-'));
const server = await launchServer({ home, port: await findFreePort(), settings: {}, inspectorPort: undefined });
try {
  const client = new Client({ name: 'smoke', version: '0' });
  const headers = { Authorization: `Bearer ${server.token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.mcpUrl), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  const html = '<h1>Tides</h1><p>High water is at noon.</p>';
  const { content } = await client.callTool({ name: 'web_extract', arguments: { html } });
  const isRead = JSON.stringify(content).includes('High water is at noon.');
  console.log(
    `${process.platform}, Node ${process.version}: ${tools.length} tools; the page was ${isRead ? '' : 'not '}read`,
  );
  if (!isRead) process.exitCode = 1;
  await client.close();
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
