import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeResponse } from '#mcp/accept.ts';
import { HOSTILE_CHARACTERS, HOSTILE_TEXT, isArrived, textsOf } from '#support/invisible.ts';
import { stories } from '#support/stories.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };

const words = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE_CHARACTERS, '"', '\\', '\n', 'data: ', 'a', '👩', 'م'), fc.string()))
  .map((parts) => parts.join(''));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, words, fc.integer(), fc.constant(null), tie('list'), tie('members')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  members: fc.dictionary(words, tie('value'), { maxKeys: 3 }),
}));
const message = fc.record({ jsonrpc: fc.constant('2.0'), id: words, result: value });

function streamOf(text: string, pieceBytes: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += pieceBytes) controller.enqueue(bytes.slice(at, at + pieceBytes));
      controller.close();
    },
  });
}

function expectPlain(sent: unknown, received: unknown): void {
  for (const [path, text] of textsOf(received))
    if (path !== '$.id') expect([path, isArrived(text)]).toEqual([path, null]);
  expect(received).toMatchObject({ id: (sent as { id: string }).id });
}

describe('an outgoing response', () => {
  it('is plain in every text, whatever a tool wrote, as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (sent) => {
        const answer = await sanitizeResponse(new Response(JSON.stringify(sent), { status: 202, headers: JSON_TYPE }));
        expect(answer.status).toBe(202);
        expectPlain(sent, await answer.json());
      }),
      { numRuns: stories(100) },
    );
  });

  it('is plain in every event of a stream, wherever the chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 3 }),
        fc.integer({ min: 1, max: 50 }),
        async (sent, pieceBytes) => {
          const events = sent.map((one) => `: waiting\n\nevent: message\ndata: ${JSON.stringify(one)}\n\n`).join('');
          const answer = await sanitizeResponse(new Response(streamOf(events, pieceBytes), { headers: STREAM_TYPE }));
          const received = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '));
          expect(received).toHaveLength(sent.length);
          for (const [at, line] of received.entries()) expectPlain(sent[at], JSON.parse(line.slice('data: '.length)));
        },
      ),
      { numRuns: stories(60) },
    );
  });

  it('keeps a byte order mark in an id, even if a chunk of the stream begins with it', async () => {
    const sent = { jsonrpc: '2.0', id: '\ufeff', result: '' };
    const stream = streamOf(`data: ${JSON.stringify(sent)}\n\n`, 1);
    const answer = await sanitizeResponse(new Response(stream, { headers: STREAM_TYPE }));
    expect(JSON.parse((await answer.text()).trim().slice('data: '.length))).toEqual(sent);
  });

  it('keeps the values by which a client identifies its message', async () => {
    const sent = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: HOSTILE_TEXT, message: '\u200b' },
    };
    const answer = await sanitizeResponse(new Response(JSON.stringify(sent), { headers: JSON_TYPE }));
    expect(await answer.json()).toMatchObject({ params: { progressToken: HOSTILE_TEXT, message: '' } });
  });
});
