import { send } from './wire.ts';

/** True if a bearer token is accepted. */
export async function letsIn(
  port: number,
  token: string,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<boolean> {
  const reply = await send(port, {
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return reply.body.includes('"tools"');
}
