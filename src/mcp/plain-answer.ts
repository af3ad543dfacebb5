import { isPlain, plainJson } from '#core/plain.ts';
import { isJsonObject } from '#core/json.ts';

/**
 * The one way out: every text of every message that leaves `/mcp` is plain – results, errors in the words of the protocol
 * library, notifications. The ids by which a client finds what a message belongs to go back as they came.
 */
export async function plainAnswer(answer: Response): Promise<Response> {
  const { body } = answer;
  const type = answer.headers.get('content-type') ?? '';
  if (body === null) return answer;
  if (type.startsWith('application/json')) return new Response(plainMessage(await answer.text()), answer);
  if (!type.startsWith('text/event-stream')) return answer;
  const plain = body
    // A mark at the start of a piece is a character like any other.
    .pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true }))
    .pipeThrough(new TransformStream(plainLines()))
    .pipeThrough(new TextEncoderStream());
  return new Response(plain, answer);
}

/** A message is one line of a stream, which may come in many pieces. */
function plainLines(): Transformer<string, string> {
  let pieces: string[] = [];
  return {
    transform: (piece, controller) => {
      const end = piece.lastIndexOf('\n') + 1;
      if (end > 0) {
        const lines = [...pieces, piece.slice(0, end)].join('').split('\n');
        pieces = [];
        controller.enqueue(lines.map(plainLine).join('\n'));
      }
      if (end < piece.length) pieces.push(piece.slice(end));
    },
    flush: (controller) => controller.enqueue(plainLine(pieces.join(''))),
  };
}

const DATA = 'data: ';

function plainLine(line: string): string {
  return line.startsWith(DATA) ? DATA + plainMessage(line.slice(DATA.length)) : line;
}

/** As JSON writes what is not plain: a control character, half a pair of surrogates. */
const ESCAPED = /\\[bfru]/;

/** Most messages are plain as they are, and pass without being taken apart. */
function plainMessage(json: string): string {
  if (isPlain(json) && !ESCAPED.test(json)) return json;
  const message: unknown = JSON.parse(json);
  return JSON.stringify(Array.isArray(message) ? message.map(plainParts) : plainParts(message));
}

const HANDLES = ['id', 'requestId', 'progressToken'] as const;

function plainParts(message: unknown): unknown {
  const plain = plainJson(message);
  if (!isJsonObject(message) || !isJsonObject(plain)) return plain;
  const handles = HANDLES.filter((name) => Object.hasOwn(message, name)).map((name) => [name, message[name]] as const);
  const { params } = message;
  return { ...plain, ...Object.fromEntries(handles), ...(isJsonObject(params) ? { params: plainParts(params) } : {}) };
}
