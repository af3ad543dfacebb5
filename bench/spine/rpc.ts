import { Agent, request } from 'node:http';

const PROTOCOL = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': PROTOCOL,
  'io.modelcontextprotocol/clientInfo': { name: 'spine-bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export type Structured = {
  cursor: string;
  text?: string;
  viewport?: { start: number; end: number };
  matches?: unknown[];
};
export type ToolResult = { isError?: boolean; content: { text: string }[]; structuredContent: Structured };

/** A client on one connection that stays open. It writes JSON-RPC directly, so that no library's time counts. */
export class RpcClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #server: { port: number; token: string };

  constructor(server: { port: number; token: string }) {
    this.#server = server;
  }

  /** @throws if the call fails in any way, because a failing call is not a measurement */
  async callTool(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    const { result, error } = JSON.parse(messageIn(await this.post('tools/call', { name, arguments: args })));
    if (error !== undefined || result.isError === true) {
      throw new Error(`${name} ${JSON.stringify(args)}: ${JSON.stringify(error ?? result.content)}`);
    }
    return result;
  }

  post(method: string, params: Record<string, unknown>): Promise<string> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
    return this.#send('POST', '/mcp', body, {
      authorization: `Bearer ${this.#server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
    });
  }

  get(path: string): Promise<string> {
    return this.#send('GET', path, null, {});
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: string | null, headers: Record<string, string>): Promise<string> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: this.#server.port, method, path, headers, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (response.statusCode === 200) resolve(text.startsWith('event:') ? eventData(text) : text);
            else reject(new Error(`${method} ${path}: HTTP ${response.statusCode} ${text.slice(0, 200)}`));
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** A long call is answered as an event stream. */
function messageIn(body: string): string {
  return body.startsWith('{') ? body : eventData(body);
}

function eventData(text: string): string {
  return /^data: (.*)$/m.exec(text)?.[1] ?? '';
}
