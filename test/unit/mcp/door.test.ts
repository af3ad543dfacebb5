import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';

const URL_OF_MCP = 'http://localhost/mcp';
const TOKEN = 'a-token-made-for-tests-only';

type Answer = {
  result?: {
    isError?: boolean;
    content?: { text: string }[];
    structuredContent?: Record<string, unknown>;
    tools?: { name: string; annotations: Record<string, unknown>; outputSchema?: unknown }[];
    resultType?: string;
  };
  error?: { code: number; message: string };
};

const ERAS = {
  legacy: { protocol: '2025-11-25', meta: undefined },
  modern: {
    protocol: '2026-07-28',
    meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'door-test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
} as const;

async function rpc(
  era: keyof typeof ERAS,
  method: string,
  params: Record<string, unknown> = {},
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { protocol, meta } = ERAS[era];
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  const response = await exports.default.fetch(URL_OF_MCP + query, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocol,
      'mcp-method': method,
      ...name,
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: meta === undefined ? params : { ...params, _meta: meta },
    }),
  });
  const text = await response.text();
  const data = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
  return JSON.parse(data);
}

const call = (era: keyof typeof ERAS, name: string, args: Record<string, unknown>, options = {}) =>
  rpc(era, 'tools/call', { name, arguments: args }, options);

for (const era of ['legacy', 'modern'] as const) {
  describe(`the protocol door, ${era} era`, () => {
    it('lists the tools with all hints, strict schemas and output schemas', async () => {
      const { result } = await rpc(era, 'tools/list');
      expect(result?.tools?.map((tool) => tool.name)).toEqual(['search', 'open_result', 'open_url', 'scroll', 'find']);
      for (const tool of result?.tools ?? []) {
        expect(Object.keys(tool.annotations).toSorted()).toEqual([
          'destructiveHint',
          'openWorldHint',
          'readOnlyHint',
          'title',
        ]);
        expect(tool.outputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      }
    });

    it('answers a refused argument with code, field and corrected call, as a tool result', async () => {
      const { result, error } = await call(era, 'open_url', { url: 'https://docs.acme.dev/alarms', num_lines: '40' });
      expect(error).toBeUndefined();
      expect(result?.isError).toBe(true);
      expect(result?.structuredContent).toMatchObject({ error: 'invalid_argument', field: 'num_lines' });
      expect(result?.content?.[0]?.text).toContain(
        'Hint: Call open_url with {"url":"https://docs.acme.dev/alarms","num_lines":40}.',
      );
    });

    it('answers an unknown tool or method with a protocol error', async () => {
      expect((await call(era, 'no_such_tool', {})).error?.code).toBe(-32_602);
      expect((await rpc(era, 'no/such/method')).error?.code).toBe(-32_601);
    });

    it('opens, scrolls and finds, with the text block and the structure saying the same', async () => {
      const opened = await call(era, 'open_url', { url: 'docs.acme.dev/long' });
      expect(opened.result?.structuredContent).toMatchObject({
        url: 'https://docs.acme.dev/long',
        title: 'A long page',
      });
      expect(opened.result?.structuredContent?.['render']).toBe(opened.result?.content?.[0]?.text);
      const cursor = opened.result?.structuredContent?.['cursor'];
      const found = await call(era, 'find', { cursor, pattern: 'walrus 250' });
      const matches = found.result?.structuredContent?.['matches'] as { loc: number }[];
      expect(matches.length).toBe(1);
      const scrolled = await call(era, 'scroll', { cursor, loc: matches[0]?.loc, num_lines: 20 });
      expect(scrolled.result?.structuredContent?.['text']).toMatch(/^Paragraph number 250/);
    });

    it('sends the text alone to hosts that would show it twice, and to whoever asks', async () => {
      for (const options of [
        { headers: { 'user-agent': 'claude-code/2.1.204 (cli)' } },
        { query: '?structured=off' },
      ]) {
        const { result } = await call(era, 'open_url', { url: 'https://docs.acme.dev/alarms' }, options);
        expect(result).not.toHaveProperty('structuredContent');
        expect(result?.content?.[0]?.text).toContain('An alarm wakes a durable object');
        const listed = await rpc(era, 'tools/list', {}, options);
        expect(listed.result?.tools?.[0]).not.toHaveProperty('outputSchema');
      }
    });
  });
}

describe('the guarded door', () => {
  it('answers without a token with 401 and the way to the metadata, and serves both documents', async () => {
    const response = await exports.default.fetch(URL_OF_MCP, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(
      /^Bearer .*resource_metadata="http:\/\/localhost\/\.well-known\/oauth-protected-resource\/mcp"/,
    );
    const resource = await exports.default.fetch('http://localhost/.well-known/oauth-protected-resource/mcp');
    expect(await resource.json()).toMatchObject({
      resource: URL_OF_MCP,
      authorization_servers: ['http://localhost'],
      scopes_supported: ['web:read'],
    });
    const server = await exports.default.fetch('http://localhost/.well-known/oauth-authorization-server');
    expect(await server.json()).toMatchObject({
      issuer: 'http://localhost',
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('refuses a wrong token, and the local token on any host that is not this machine', async () => {
    const wrong = await exports.default.fetch(URL_OF_MCP, {
      method: 'POST',
      headers: { authorization: 'Bearer not-the-token-at-all' },
      body: '{}',
    });
    expect(wrong.status).toBe(401);
    const elsewhere = await exports.default.fetch('https://periscope.acme.dev/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: '{}',
    });
    expect(elsewhere.status).toBe(403);
  });

  it('refuses a page of another origin', async () => {
    const response = await exports.default.fetch(URL_OF_MCP, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, origin: 'https://evil.dev' },
      body: '{}',
    });
    expect(response.status).toBe(403);
  });

  it('names the toolsets there are when one does not exist', async () => {
    const response = await exports.default.fetch(`${URL_OF_MCP}?toolsets=nope`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('reader');
  });

  it('answers a body that is no JSON with a parse error', async () => {
    const response = await exports.default.fetch(URL_OF_MCP, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_700 } });
  });

  it('shows people what this is, under a policy that allows no script', async () => {
    const response = await exports.default.fetch('http://localhost/');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toContain('http://localhost/mcp');
    expect(await (await exports.default.fetch('http://localhost/healthz')).json()).toEqual({ status: 'ok' });
    expect((await exports.default.fetch('http://localhost/nothing-here')).status).toBe(404);
  });
});
