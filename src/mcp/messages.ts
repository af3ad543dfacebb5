import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isJsonObject } from '#core/text/json.ts';
import type { JsonObject } from '#core/text/json.ts';

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
