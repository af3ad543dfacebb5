import { exports } from 'cloudflare:workers';

/** Calls the whole Worker at its MCP endpoint, as a raw client would. */

export const MCP_URL = 'http://localhost/mcp';
export const LOCAL_TOKEN = 'a-token-made-for-tests-only';

export type Answer = {
  result?: {
    isError?: boolean;
    content?: { type: string; text: string }[];
    structuredContent?: Record<string, unknown>;
    tools?: { name: string; annotations: Record<string, unknown>; outputSchema?: unknown }[];
  };
  error?: { code: number; message: string };
};

export type Era = 'legacy' | 'modern';

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export type CallOptions = {
  query?: string;
  headers?: Record<string, string>;
  token?: string;
  /** Fires when the client disconnects. */
  signal?: AbortSignal;
  /** Sends the request elsewhere than to the Worker with the settings of the tests. */
  send?: (request: Request) => Promise<Response>;
};

const toWorker = (request: Request): Promise<Response> => exports.default.fetch(request);

export async function rpc(
  era: Era,
  method: string,
  params: Record<string, unknown> = {},
  { query = '', headers = {}, token = LOCAL_TOKEN, signal, send = toWorker }: CallOptions = {},
): Promise<Answer> {
  const named = params['name'] ?? params['uri'];
  const name = typeof named === 'string' ? { 'mcp-name': named } : {};
  const request = new Request(MCP_URL + query, {
    method: 'POST',
    ...(signal === undefined ? {} : { signal }),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era === 'modern' ? '2026-07-28' : '2025-11-25',
      'mcp-method': method,
      ...name,
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: era === 'modern' ? { ...params, _meta: MODERN_META } : params,
    }),
  });
  const response = await send(request);
  const text = await response.text();
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}'));
}

export function callTool(
  era: Era,
  name: string,
  args: Record<string, unknown>,
  options?: CallOptions,
): Promise<Answer> {
  return rpc(era, 'tools/call', { name, arguments: args }, options);
}

/** The structured result. @throws with the whole answer if there is none */
export function structured(answer: Answer): Record<string, unknown> {
  const { result } = answer;
  if (result?.structuredContent === undefined || result.isError === true) throw new Error(JSON.stringify(answer));
  return result.structuredContent;
}
