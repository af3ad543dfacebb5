import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import { isPlainText, sanitizeJson } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';

/**
 * Removes invisible characters from every response of `/mcp`: results, the protocol library's errors and notifications.
 * Message ids stay unchanged, because clients match them.
 * @param is2025 true for a client of the 2025 era, which has its own error code for a missing resource
 */
export async function sanitizeResponse(answer: Response, is2025 = false): Promise<Response> {
  const { body } = answer;
  const type = answer.headers.get('content-type') ?? '';
  if (body === null) return answer;
  if (type.startsWith('application/json')) return new Response(plainMessage(await answer.text(), is2025), answer);
  if (!type.startsWith('text/event-stream')) return answer;
  const plain = body
    // `ignoreBOM` preserves U+FEFF: at the start of a chunk it is an ordinary character, not a byte order mark.
    .pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true }))
    .pipeThrough(new TransformStream(plainLines(is2025)))
    .pipeThrough(new TextEncoderStream());
  return new Response(plain, answer);
}

/** Cleans a stream line by line. Each message is one line, which may arrive in several chunks. */
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

/** JSON escapes that may hide characters to clean: control characters and unpaired surrogates. */
const ESCAPED = /\\[bfru]/;

/** Cleans a message. A message without anything to clean is returned unparsed. */
function plainMessage(json: string, is2025: boolean): string {
  const mayBeWrong = WRONG_PARAMETERS.test(json);
  if (isPlainText(json) && !ESCAPED.test(json) && !mayBeWrong) return json;
  const message: unknown = JSON.parse(json);
  const plain = (one: unknown) => {
    const reworded = mayBeWrong ? inWords(one) : one;
    return is2025 && mayBeWrong ? missing2025(plainParts(reworded)) : plainParts(reworded);
  };
  return JSON.stringify(Array.isArray(message) ? message.map(plain) : plain(message));
}

const WRONG_PARAMETERS = new RegExp(`"code":(?:${ProtocolErrorCode.InvalidParams}|${ProtocolErrorCode.InternalError})`);
/** Maximum characters of an error message, because it may contain field names that the caller chose. */
const WORDS_CHARS_MAX = 400;
const PROBLEMS_MAX = 5;
const issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1);

/**
 * Rewords the library's parameter errors, whose text is the JSON of its schema checks. A client's developer gets the
 * field and the expected value instead.
 */
function inWords(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message['error'])) return message;
  const { error } = message;
  const text = typeof error['message'] === 'string' ? error['message'] : '';
  const found = issues.safeParse(parseJson(text.slice(text.indexOf('['))));
  if (!found.success) return message;
  const problems = found.data
    .slice(0, PROBLEMS_MAX)
    .map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message.replace(/^Invalid input: /, '')}`);
  const words = `Invalid parameters. ${oneLine(problems.join('; '), WORDS_CHARS_MAX)}`;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: words } };
}

/** Replaces the error code for "Resource not found" by that of protocol versions before 2026-07-28 (-32002). */
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
  const plain = sanitizeJson(message);
  if (!isJsonObject(message) || !isJsonObject(plain)) return plain;
  const handles = HANDLES.filter((name) => Object.hasOwn(message, name)).map((name) => [name, message[name]] as const);
  const { params } = message;
  return { ...plain, ...Object.fromEntries(handles), ...(isJsonObject(params) ? { params: plainParts(params) } : {}) };
}
