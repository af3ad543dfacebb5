import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { accepts } from '#core/text/accept.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import * as z from 'zod';
import { isPlainText, sanitizeJson } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';

export type AcceptedFormats = { json: boolean; events: boolean };

export function parseAcceptedFormats({ headers }: Request): AcceptedFormats {
  const accept = headers.get('accept');
  return { json: accepts(accept, JSON_TYPE), events: accepts(accept, EVENTS_TYPE) };
}

export function notAcceptable(): Response {
  const message = `This server answers with ${JSON_TYPE} or ${EVENTS_TYPE}. Accept one of them.`;
  const error = { code: ProtocolErrorCode.InvalidRequest, message };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 406 });
}

/** The method whose response is an event stream that stays open, so that it cannot be answered in JSON. */
const LISTEN = 'subscriptions/listen';

export function isListenRequest(message: unknown): boolean {
  return isJsonObject(message) && message['method'] === LISTEN;
}

/** Adds JSON and event stream to `Accept`, because the protocol library refuses a header that lacks one of them. */
export function acceptJsonAndEvents(request: Request): Request {
  const accept = request.headers.get('accept') ?? '';
  if (accept.includes(JSON_TYPE) && accept.includes(EVENTS_TYPE)) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', `${JSON_TYPE}, ${EVENTS_TYPE}`);
  return new Request(request, { headers });
}

export function convertToAcceptedFormat(
  answer: Response,
  { json, events }: AcceptedFormats,
  isBatch: boolean,
): Response {
  const type = answer.headers.get('content-type') ?? '';
  if (answer.body === null || !answer.ok) return answer;
  if (type.startsWith(EVENTS_TYPE) && !events) return piped(answer, JSON_TYPE, eventsToJson(isBatch));
  if (type.startsWith(JSON_TYPE) && !json) return piped(answer, EVENTS_TYPE, jsonToEvent());
  return answer;
}

function piped(answer: Response, type: string, change: Transformer<string, string>): Response {
  const body = answer.body
    ?.pipeThrough(new TextDecoderStream('utf-8', { ignoreBOM: true }))
    .pipeThrough(new TransformStream(change))
    .pipeThrough(new TextEncoderStream());
  const headers = new Headers(answer.headers);
  headers.set('content-type', type);
  headers.delete('content-length');
  return new Response(body, { status: answer.status, headers });
}

const DATA = 'data: ';
/**
 * First character of an event-stream comment. Comments are sent during long calls to detect a closed connection. In
 * JSON, a space is sent instead.
 */
const COMMENT = ':';

/** Turns an event stream into JSON: passes on each response when it is complete, and drops notifications. */
function eventsToJson(isBatch: boolean): Transformer<string, string> {
  let pending = '';
  let answers = 0;
  const take = (line: string, controller: TransformStreamDefaultController<string>) => {
    if (line.startsWith(COMMENT)) controller.enqueue(' ');
    if (!line.startsWith(DATA) || (answers > 0 && !isBatch)) return;
    const message = line.slice(DATA.length);
    if (!isAnswer(message)) return;
    controller.enqueue((isBatch ? (answers === 0 ? '[' : ',') : '') + message);
    answers += 1;
  };
  return {
    transform: (piece, controller) => {
      if (!piece.includes('\n')) {
        pending += piece;
        return;
      }
      const lines = (pending + piece).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) take(line, controller);
    },
    flush: (controller) => {
      take(pending, controller);
      if (answers === 0) controller.enqueue(JSON.stringify(isBatch ? [NO_ANSWER] : NO_ANSWER));
      else if (isBatch) controller.enqueue(']');
    },
  };
}

const NO_ANSWER = {
  jsonrpc: '2.0',
  id: null,
  error: { code: ProtocolErrorCode.InternalError, message: 'The call ended without an answer.' },
};

function isAnswer(json: string): boolean {
  const message = parseJson(json);
  return isJsonObject(message) && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'));
}

function jsonToEvent(): Transformer<string, string> {
  return {
    start: (controller) => controller.enqueue(`event: message\n${DATA}`),
    transform: (piece, controller) => controller.enqueue(piece.replaceAll('\n', ' ')),
    flush: (controller) => controller.enqueue('\n\n'),
  };
}

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
