import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { accepts } from '#core/text/accept.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';

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
