import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isJsonObject } from '#core/text/json.ts';
import type { JsonObject } from '#core/text/json.ts';
import * as z from 'zod';
import type { LinkToOpen } from '#tools/define-tool.ts';

/** Maximum nesting at which nulls are removed, because input is untrusted. Valid messages nest less deeply. */
const FIELD_DEPTH_MAX = 8;

/** Tool arguments that are not objects, by the id of their call. An example is an object sent as JSON text. */
export type NonObjectArguments = ReadonlyMap<unknown, unknown>;

type Accepted = { message: unknown; oddArguments: NonObjectArguments };

/**
 * Prepares a message or batch for the protocol library, which rejects `null` in an optional field. Some clients send
 * null for every unset field, so null counts as absent, except in tool arguments, which the tool checks. Arguments that
 * are not objects also go to the tool, which responds with the corrected call.
 */
export function normalizeMessage(parsed: unknown): Accepted {
  const oddArguments = new Map<unknown, unknown>();
  const message = Array.isArray(parsed)
    ? parsed.map((one) => acceptOne(one, oddArguments))
    : acceptOne(parsed, oddArguments);
  return { message, oddArguments };
}

function acceptOne(parsed: unknown, oddArguments: Map<unknown, unknown>): unknown {
  if (!isJsonObject(parsed) || typeof parsed['method'] !== 'string') return parsed;
  const message = isNotification(parsed) ? withoutNulls(parsed, 1) : parsed;
  const { params } = message;
  if (!isJsonObject(params)) return message;
  if (message['method'] !== 'tools/call') return { ...message, params: withoutNulls(params, FIELD_DEPTH_MAX) };
  const { arguments: given, ...others } = params;
  const accepted = withoutNulls(others, FIELD_DEPTH_MAX);
  if (given === undefined || given === null) return { ...message, params: accepted };
  if (isJsonObject(given)) return { ...message, params: { ...accepted, arguments: given } };
  oddArguments.set(message['id'], given);
  return { ...message, params: { ...accepted, arguments: {} } };
}

/** True for a notification. Nulls are also removed from its top level, because no response could report them. */
function isNotification({ method, id }: JsonObject): boolean {
  return typeof method === 'string' && method.startsWith('notifications/') && (id === undefined || id === null);
}

function withoutNulls(value: JsonObject, depth: number): JsonObject {
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([name, one]) => [name, depth > 1 ? withoutInnerNulls(one, depth - 1) : one]));
}

function withoutInnerNulls(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return depth > 1 ? value.map((one) => withoutInnerNulls(one, depth - 1)) : value;
  return isJsonObject(value) ? withoutNulls(value, depth) : value;
}

const NO_OBJECT = 'params must be an object. Send {} or leave params out.';
const NOT_RUN = 'Not run: another message of this batch is not valid.';

/**
 * Returns the error responses if `params` of a message are not an object, because the library would not accept such a
 * message; `null` if all are valid. A batch with such a message is not run at all.
 */
export function findInvalidParams(message: unknown): JsonObject | JsonObject[] | null {
  if (!Array.isArray(message)) return hasOddParams(message) ? refused(message) : null;
  const requests = message.filter((one) => isJsonObject(one) && isId(one['id']));
  if (!message.some(hasOddParams)) return null;
  return requests.map((one) =>
    hasOddParams(one) ? refused(one) : error(idOf(one), ProtocolErrorCode.InvalidRequest, NOT_RUN),
  );
}

function hasOddParams(message: unknown): boolean {
  if (!isJsonObject(message) || typeof message['method'] !== 'string' || !isId(message['id'])) return false;
  return message['params'] !== undefined && !isJsonObject(message['params']);
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number';
}

function idOf(message: unknown): unknown {
  return isJsonObject(message) ? message['id'] : null;
}

function refused(message: unknown): JsonObject {
  return error(idOf(message), ProtocolErrorCode.InvalidParams, NO_OBJECT);
}

function error(id: unknown, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * Requests to open a link, for clients of the 2025-11-25 revision, without server state. Such a client declares in
 * `initialize` that it opens links, later calls a tool, and answers the server's question by another request. The
 * session id, which the client repeats, records that it opens links. The id of the question, which the answer repeats,
 * names the browser session. Neither id grants a permission.
 */
const ASKED_SINCE = '2025-11-25';
const OPENS_LINKS = 'opens-links.';
const OPENS_NONE = 'client.';
const QUESTION_ID = 'link';

const initializes = z.object({ method: z.literal('initialize') });
const initializesWithLinks = z.object({
  params: z.object({
    protocolVersion: z.string(),
    capabilities: z.object({ elicitation: z.object({ url: z.object({}) }) }),
  }),
});

/** Returns a session id for an `initialize` message; `null` for others. */
export function sessionIdForInitialize(message: unknown): string | null {
  if (!initializes.safeParse(message).success) return null;
  const { success, data } = initializesWithLinks.safeParse(message);
  // Revisions are dates, so they sort as text.
  const asks = success && data.params.protocolVersion >= ASKED_SINCE;
  return (asks ? OPENS_LINKS : OPENS_NONE) + crypto.randomUUID();
}

export function canOpenLinks(headers: Headers): boolean {
  const isOurs = headers.get('mcp-session-id')?.startsWith(OPENS_LINKS) === true;
  return isOurs && headers.get('mcp-protocol-version') === ASKED_SINCE;
}

export function createLinkRequest({ url, message, session }: LinkToOpen) {
  const elicitationId = crypto.randomUUID();
  return {
    jsonrpc: '2.0',
    id: [QUESTION_ID, elicitationId, session].join(' '),
    method: 'elicitation/create',
    params: { mode: 'url', message, url, elicitationId },
  } as const;
}

const answers = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.string(),
  result: z.object({ action: z.enum(['accept', 'decline', 'cancel']) }),
});

/** Parses the user's answer to a question of this server, with its session; `null` for other messages. */
export function parseLinkAnswer(message: unknown): { session: string; isDeclined: boolean } | null {
  const { success, data } = answers.safeParse(message);
  if (!success) return null;
  const [kind, , session] = data.id.split(' ');
  return kind === QUESTION_ID && session !== undefined
    ? { session, isDeclined: data.result.action === 'decline' }
    : null;
}
