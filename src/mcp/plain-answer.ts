import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isJsonObject } from '#core/text/json.ts';
import { isPlain, plainJson } from '#core/text/plain.ts';

/**
 * Every answer of `/mcp` passes here. Results, errors in the words of the protocol library and notifications lose characters
 * that nobody can see; the ids by which a client matches messages stay as they were sent.
 * @param is2025 true for a client of the 2025 era, in which a missing resource has an error code of its own
 */
export async function plainAnswer(answer: Response, is2025 = false): Promise<Response> {
  const { body } = answer;
  const type = answer.headers.get('content-type') ?? '';
  if (body === null) return answer;
  if (type.startsWith('application/json')) return new Response(plainMessage(await answer.text(), is2025), answer);
  if (!type.startsWith('text/event-stream')) return answer;
  const plain = body
    // A mark at the start of a piece is a character like any other.
    .pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true }))
    .pipeThrough(new TransformStream(plainLines(is2025)))
    .pipeThrough(new TextEncoderStream());
  return new Response(plain, answer);
}

/** A message is one line of a stream, which may come in many pieces. */
function plainLines(is2025: boolean): Transformer<string, string> {
  let pieces: string[] = [];
  return {
    transform: (piece, controller) => {
      const end = piece.lastIndexOf('\n') + 1;
      if (end > 0) {
        const lines = [...pieces, piece.slice(0, end)].join('').split('\n');
        pieces = [];
        controller.enqueue(lines.map((line) => plainLine(line, is2025)).join('\n'));
      }
      if (end < piece.length) pieces.push(piece.slice(end));
    },
    flush: (controller) => controller.enqueue(plainLine(pieces.join(''), is2025)),
  };
}

const DATA = 'data: ';

function plainLine(line: string, is2025: boolean): string {
  return line.startsWith(DATA) ? DATA + plainMessage(line.slice(DATA.length), is2025) : line;
}

/** As JSON writes what is not plain: a control character, half a pair of surrogates. */
const ESCAPED = /\\[bfru]/;

/** Most messages are plain as they are, and pass without being taken apart. */
function plainMessage(json: string, is2025: boolean): string {
  const mayMiss = is2025 && json.includes(`"code":${ProtocolErrorCode.InvalidParams}`);
  if (isPlain(json) && !ESCAPED.test(json) && !mayMiss) return json;
  const message: unknown = JSON.parse(json);
  const plain = (one: unknown) => (mayMiss ? missing2025(plainParts(one)) : plainParts(one));
  return JSON.stringify(Array.isArray(message) ? message.map(plain) : plain(message));
}

/**
 * "Resource not found" as the 2025 revisions number it. The library numbers it as 2026-07-28 does in both eras; the
 * address alone in the data of an error marks it.
 */
function missing2025(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message['error'])) return message;
  const { error } = message;
  const { code, data } = error;
  if (code !== ProtocolErrorCode.InvalidParams || !isJsonObject(data)) return message;
  const isMissing = Object.keys(data).join() === 'uri' && typeof data['uri'] === 'string';
  return isMissing ? { ...message, error: { ...error, code: ProtocolErrorCode.ResourceNotFound } } : message;
}

const HANDLES = ['id', 'requestId', 'progressToken'] as const;

function plainParts(message: unknown): unknown {
  const plain = plainJson(message);
  if (!isJsonObject(message) || !isJsonObject(plain)) return plain;
  const handles = HANDLES.filter((name) => Object.hasOwn(message, name)).map((name) => [name, message[name]] as const);
  const { params } = message;
  return { ...plain, ...Object.fromEntries(handles), ...(isJsonObject(params) ? { params: plainParts(params) } : {}) };
}
