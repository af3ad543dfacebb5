import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { convertToAcceptedFormat } from '#mcp/accept.ts';
import { LOCAL_TOKEN, MCP_URL } from '../../support/mcp-call.ts';
import type { Era } from '../../support/mcp-call.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function post(era: Era, accept: string | null, body: unknown, method: string, headers: Record<string, string> = {}) {
  return exports.default.fetch(MCP_URL, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${LOCAL_TOKEN}`,
      'content-type': 'application/json',
      'mcp-protocol-version': era === 'modern' ? '2026-07-28' : '2025-11-25',
      'mcp-method': method,
      ...(accept === null ? {} : { accept }),
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

const request = (era: Era, method: string, params: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params: era === 'modern' ? { ...params, _meta: META } : params,
});

const call = (era: Era, accept: string | null) =>
  post(
    era,
    accept,
    request(era, 'tools/call', { name: 'web_extract', arguments: { html: '<p>Some text that can be read.</p>' } }),
    'tools/call',
    { 'mcp-name': 'web_extract' },
  );

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  it.each([null, '*/*', 'application/*, text/*', 'Application/JSON, Text/Event-Stream', 'application/json, */*;q=0.1'])(
    'is answered when it accepts %j',
    async (accept) => {
      const answer = await call(era, accept);
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining('Some text that can be read'),
      ]);
    },
  );

  it('gets JSON alone when it accepts that alone', async () => {
    for (const method of ['tools/call', 'tools/list']) {
      const answer = await (method === 'tools/call'
        ? call(era, 'application/json')
        : post(era, 'application/json', request(era, method), method));
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} });
    }
  });

  it('gets events alone when it accepts those alone', async () => {
    const answer = await call(era, 'text/event-stream');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const [, line = ''] = /^data: (.*)$/mu.exec(await answer.text()) ?? [];
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} });
  });

  it.each(['text/html', 'application/json;q=0, text/event-stream;q=0', '*/*;q=0'])(
    'gets only the accepted types when it accepts %j',
    async (accept) => {
      const answer = await call(era, accept);
      expect(answer.status).toBe(406);
      expect(await answer.json()).toMatchObject({
        error: { message: 'This server answers with application/json or text/event-stream. Accept one of them.' },
      });
    },
  );

  it('may read its session id from the response, also in a web page', async () => {
    const answer = await post(era, '*/*', request(era, 'tools/list'), 'tools/list', { origin: 'https://claude.ai' });
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['mcp-session-id', 'www-authenticate', 'retry-after']),
    );
  });
});

describe('a batch for a client that accepts JSON alone', () => {
  it('is answered by one list', async () => {
    const batch = [request('legacy', 'ping'), { ...request('legacy', 'ping'), id: 8 }];
    const answer = await post('legacy', 'application/json', batch, 'ping');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toMatchObject([{ result: {} }, { result: {} }]);
  });
});

describe('an event stream converted to JSON', () => {
  const events = (lines: string[], pieceBytes: number) => {
    const bytes = new TextEncoder().encode(lines.join(''));
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += pieceBytes) controller.enqueue(bytes.slice(at, at + pieceBytes));
        controller.close();
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };
  const event = (message: unknown) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
  const progress = event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } });
  const answer = { jsonrpc: '2.0', id: 'é', result: { text: 'data: {"x":1}\n\n' } };

  it.each([1, 3, 1_000])('contains the answers alone, in chunks of %i bytes', async (pieceBytes) => {
    const lines = [': waiting\n\n', progress, event(answer), progress];
    const one = convertToAcceptedFormat(events(lines, pieceBytes), { json: true, events: false }, false);
    expect(await one.json()).toEqual(answer);
    const other = { jsonrpc: '2.0', id: 2, error: { code: 1, message: 'no' } };
    const two = convertToAcceptedFormat(
      events([...lines, event(other)], pieceBytes),
      { json: true, events: false },
      true,
    );
    expect(await two.json()).toEqual([answer, other]);
  });

  it('has white space in place of messages during a long call', async () => {
    const lines = [': keepalive\n\n', ': keepalive\n\n', event(answer)];
    const one = convertToAcceptedFormat(events(lines, 10), { json: true, events: false }, false);
    expect(await one.text()).toBe(`  ${JSON.stringify(answer)}`);
  });

  it('is an error when it contains no answer', async () => {
    const none = convertToAcceptedFormat(events([progress], 10), { json: true, events: false }, false);
    expect(await none.json()).toMatchObject({ error: { code: -32_603 } });
  });
});
