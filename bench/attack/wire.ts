import { request } from 'node:http';

/** Requests as an attacker writes them: any header and any body, without a library that would correct them. */

export type Sent = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

export type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

const PATIENCE_MS = 60_000;

export function send(port: number, { method = 'GET', path, headers = {}, body }: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { host: `localhost:${port}`, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error(`no answer in ${PATIENCE_MS / 1_000} s`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The answer to one MCP request. */
export type Answer = {
  status: number;
  /** The whole body, unchanged. */
  body: string;
  /** The text blocks of the result, joined. */
  text: string;
  structured: unknown;
  isError: boolean;
  /** True for a protocol error, or for any answer without a result. */
  isRefused: boolean;
};

const LEGACY = '2025-06-18';
const MODERN = '2026-07-28';

export type Era = typeof LEGACY | typeof MODERN;

/** A caller with a token. */
export class Caller {
  readonly port: number;
  readonly token: string;
  constructor(port: number, token: string) {
    this.port = port;
    this.token = token;
  }

  call(name: string, args: Record<string, unknown> = {}, query = ''): Promise<Answer> {
    return this.rpc('tools/call', { name, arguments: args }, { query });
  }

  async rpc(
    method: string,
    params: Record<string, unknown> = {},
    { era = LEGACY, query = '', headers = {} }: { era?: Era; query?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'attack', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const named = params['name'] ?? params['uri'];
    const body = { jsonrpc: '2.0', id: 1, method, params: era === MODERN ? { ...params, _meta: meta } : params };
    const modernHeaders = {
      'mcp-method': method,
      ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
    };
    return this.post(
      body,
      { ...(era === MODERN ? modernHeaders : {}), 'mcp-protocol-version': era, ...headers },
      query,
    );
  }

  /** Any body, as JSON. */
  async post(body: unknown, headers: Record<string, string> = {}, query = '?structured=on'): Promise<Answer> {
    const reply = await send(this.port, {
      method: 'POST',
      path: `/mcp${query === '' ? '?structured=on' : query}`,
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': LEGACY,
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return answerOf(reply);
  }
}

function answerOf({ status, body }: Reply): Answer {
  const json = parse(sentJson(body));
  const result = at(json, 'result');
  const content = at(result, 'content');
  const blocks = Array.isArray(content) ? content : [];
  return {
    status,
    body,
    text: blocks.map((block: unknown) => textOf(at(block, 'text'))).join('\n'),
    structured: at(result, 'structuredContent'),
    isError: at(result, 'isError') === true,
    isRefused: status !== 200 || result === undefined || at(result, 'isError') === true,
  };
}

/** The message in a body, which may be one event of a stream after comments. Only a line end ends it. */
export function sentJson(body: string): string {
  return /^(?:event)?:/.test(body) ? (/(?:^|\n)data: ([^\n]*)/.exec(body)?.[1] ?? '') : body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  return found;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Every string in a value, including keys. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
}
