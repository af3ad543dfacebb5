import { describe, expect, it } from 'vitest';
import { callTool, LOCAL_TOKEN, MCP_URL, rpc } from '../../support/mcp-call.ts';
import type { Era } from '../../support/mcp-call.ts';
import { exports } from 'cloudflare:workers';

const HTML = '<p>Some text that can be read by anybody at all.</p>';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Posts a body unchanged. @returns the status and every message of the answer */
async function post(era: Era, body: unknown, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(MCP_URL, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${LOCAL_TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era === 'modern' ? '2026-07-28' : '2025-11-25',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const lines = /^[[{]/u.test(text) ? [text] : Array.from(text.matchAll(/^data: (.*)$/gmu), ([, line = '']) => line);
  const messages = lines.flatMap((line) => JSON.parse(line) as Message | Message[]);
  return { status: response.status, messages };
}

type Message = {
  id?: unknown;
  result?: { isError?: boolean; content?: { text: string }[] };
  error?: { code: number; message: string };
};

/** A call whose arguments are anything at all. */
function callWith(era: Era, name: string, given: unknown) {
  const params = { name, arguments: given, ...(era === 'modern' ? { _meta: META } : {}) };
  return post(
    era,
    { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
    { 'mcp-method': 'tools/call', 'mcp-name': name },
  );
}

const textOf = (message: Message | undefined) => message?.result?.content?.[0]?.text ?? '';

describe.each(['legacy', 'modern'] as const)('a message of the %s era', (era) => {
  it('may have null for an optional parameter, which counts as absent', async () => {
    const { result } = await callTool(era, 'web_extract', { html: HTML, base_url: null, siteconfig: null, max: null });
    expect(result?.content?.[0]?.text).toMatch(/^Error invalid_argument: max: is not a parameter/);
    const extracted = await callTool(era, 'web_extract', { html: HTML, base_url: null, explain: null });
    expect(extracted.result?.isError).not.toBe(true);
    expect(extracted.result?.content?.[0]?.text).toContain('Some text that can be read');
    const purged = await callTool(era, 'cache_purge', { domain: 'nowhere.example', dry_run: null });
    expect(purged.result?.structuredContent).toMatchObject({ dry_run: true });
  });

  it('may not have null for a required parameter, or inside a list', async () => {
    const missing = await callTool(era, 'web_extract', { html: null });
    expect(missing.result?.content?.[0]?.text).toMatch(/^Error invalid_argument: html: must be a string, not null/);
    const listed = await callTool(era, 'web_batch_open', { urls: ['https://docs.acme.dev/alarms', null] });
    expect(listed.result?.content?.[0]?.text).toMatch(/^Error invalid_argument: urls\[1\]: must be a string, not null/);
  });

  it('may have null for arguments, which counts as no arguments', async () => {
    const listed = await callWith(era, 'changes', null);
    expect(listed.messages).toMatchObject([{ id: 7, result: { content: [{ type: 'text' }] } }]);
    expect(listed.messages[0]?.result?.isError).not.toBe(true);
    const { messages } = await callWith(era, 'search', null);
    expect(textOf(messages[0])).toMatch(/^Error invalid_argument: query: is required/);
  });

  it.each([
    ['the JSON of an object', '{"query":"alarms"}', 'Call search with {"query":"alarms"}.'],
    ['any text', 'alarms', 'Call search with {"query":"<query>"}.'],
    ['a list', ['alarms'], 'Call search with {"query":"<query>"}.'],
    ['a number', 3, 'Call search with {"query":"<query>"}.'],
    ['false', false, 'Call search with {"query":"<query>"}.'],
  ])('is answered with the object form when its arguments are %s', async (_, given, hint) => {
    const { status, messages } = await callWith(era, 'search', given);
    expect([status, messages[0]?.id, messages[0]?.result?.isError]).toEqual([200, 7, true]);
    expect(textOf(messages[0])).toMatch(/^Error invalid_argument: arguments: must be an object/);
    expect(textOf(messages[0])).toContain(`Hint: ${hint}`);
  });

  it.each([null, 'x', 3, false, []])('gets an error that describes params when its params are %j', async (params) => {
    for (const method of ['tools/list', 'tools/call']) {
      const { messages } = await post(era, { jsonrpc: '2.0', id: 7, method, params }, { 'mcp-method': method });
      expect(messages).toEqual([
        {
          jsonrpc: '2.0',
          id: 7,
          error: { code: -32_602, message: 'params must be an object. Send {} or leave params out.' },
        },
      ]);
    }
  });

  it('may have null for an optional field of the protocol', async () => {
    for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
      const { error, result } = await rpc(era, method, { cursor: null });
      expect([method, error, result === undefined]).toEqual([method, undefined, false]);
    }
    const prompt = {
      name: 'docs_summarize_for_coding',
      arguments: { url: 'https://docs.acme.dev/alarms', focus: null },
    };
    expect((await rpc(era, 'prompts/get', prompt)).error).toBeUndefined();
  });

  it('gets an error that names the field when a protocol field is wrong', async () => {
    const wrong: [string, Record<string, unknown>, string][] = [
      ['tools/call', { name: 7 }, 'params.name: expected string, received number'],
      ['tools/call', { name: null }, 'params.name: expected string, received undefined'],
      ['resources/read', {}, 'params.uri: expected string, received undefined'],
      ['resources/list', { cursor: 7 }, 'params.cursor: expected string, received number'],
      ['prompts/get', { name: 'x', arguments: 'y' }, 'params.arguments: expected record, received string'],
    ];
    for (const [method, params, words] of wrong) {
      const { error } = await rpc(era, method, params);
      expect(error).toEqual({ code: -32_602, message: `Invalid parameters. ${words}` });
    }
  });

  it.each(['__proto__', 'constructor', 'toString', 'no_such_tool', ''])(
    'gets an unknown-tool error when it calls a tool named %j',
    async (name) => {
      const { error } = await rpc(era, 'tools/call', { name, arguments: {} });
      expect(error).toEqual({
        code: -32_602,
        message: `Tool ${name} not found. Call tools/list for the tools of this connection.`,
      });
    },
  );
});

describe('a message of the 2025 era', () => {
  it('may have null for any field that clients omit during initialisation', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { sampling: null, roots: null, elicitation: { form: null } },
      clientInfo: { name: 'x', version: '1', title: null, icons: null },
      _meta: null,
    };
    const { messages } = await post('legacy', { jsonrpc: '2.0', id: 7, method: 'initialize', params });
    expect(messages).toMatchObject([{ id: 7, result: { protocolVersion: '2025-11-25' } }]);
  });

  it('may have null for its params and its id if it is a notification', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized', params: null };
    expect(await post('legacy', notification)).toEqual({ status: 202, messages: [] });
    expect(await post('legacy', { ...notification, id: null })).toEqual({ status: 202, messages: [] });
  });

  it('follows the same rules inside a batch', async () => {
    const call = (id: number, name: string, given: unknown) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: given },
    });
    const { messages } = await post('legacy', [
      call(1, 'search', null),
      call(2, 'search', '{"query":"x"}'),
      call(3, '__proto__', {}),
      { jsonrpc: '2.0', id: 4, method: 'tools/list', params: { cursor: null } },
    ]);
    const byId = new Map(messages.map((message) => [message.id, message]));
    expect(textOf(byId.get(1))).toContain('query: is required');
    expect(textOf(byId.get(2))).toContain('Call search with {"query":"x"}.');
    expect(byId.get(3)?.error?.message).toContain('Tool __proto__ not found');
    expect(byId.get(4)?.error).toBeUndefined();
  });

  it('rejects its batch when its params are not an object: nothing runs, and each request gets the reason', async () => {
    const { messages } = await post('legacy', [
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized', params: null },
    ]);
    expect(messages).toMatchObject([
      { id: 1, error: { code: -32_602, message: 'params must be an object. Send {} or leave params out.' } },
      { id: 2, error: { code: -32_600, message: 'Not run: another message of this batch is not valid.' } },
    ]);
  });

  it('does not end the server when it is nested very deeply', async () => {
    const depth = 20_000;
    const deep = `${'{"a":'.repeat(depth)}null${'}'.repeat(depth)}`;
    for (const field of ['_meta', 'arguments']) {
      const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","${field}":${deep}}}`;
      const response = await exports.default.fetch(MCP_URL, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${LOCAL_TOKEN}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body,
      });
      expect(response.status).toBeLessThan(500);
      await response.body?.cancel();
    }
  });
});
