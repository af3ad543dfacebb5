import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Failure } from '#core/failures/failure.ts';
import type { Principal, Scope } from '#core/principal.ts';
import { isJsonObject } from '#core/text/json.ts';
import { mayCall } from '#tools/catalog.ts';
import type { MissingScope } from '#tools/catalog.ts';
import type { Tool } from '#tools/define-tool.ts';
import { errorResult } from './result.ts';

/** A call of a tool that exists but was not granted. */
type DeniedCall = { id: JSONRPCRequest['id']; tool: Tool; held: readonly Scope[] };

/**
 * `null` for every other message. A call with an *option* that was not granted is none of these: a client library that gets
 * 403 shows its model a transport error, and the option was not even listed.
 * @param message one parsed message; batches are not looked into
 */
export function deniedCall(message: unknown, tools: readonly Tool[], caller: Principal): DeniedCall | null {
  if (!isJsonObject(message) || message['method'] !== 'tools/call' || !isJsonObject(message['params'])) return null;
  const { id, params } = message;
  const tool = tools.find(({ name }) => name === params['name']);
  if (tool === undefined || mayCall(caller, tool)) return null;
  return typeof id === 'string' || typeof id === 'number' ? { id, tool, held: caller.scopes } : null;
}

/**
 * 403 with the challenge of RFC 6750 §3.1, by which clients ask the person for more, and the same in the body for those
 * that read results: the tool error, and the field by which ChatGPT offers to connect again.
 */
export function challenge({ id, tool, held }: DeniedCall, resourceMetadataUrl: string, structured: boolean): Response {
  const missing = { scope: tool.scope, option: null };
  const reconnect = askToReconnect(tool, missing, held, resourceMetadataUrl);
  const result = { ...errorResult(permissionDenied(tool, missing), structured), ...reconnect.result };
  return Response.json(
    { jsonrpc: '2.0', id, result },
    { status: 403, headers: { 'www-authenticate': reconnect.header, 'cache-control': 'no-store' } },
  );
}

export function permissionDenied(tool: Tool, { scope, option }: MissingScope): Failure {
  return { code: 'permission_denied', scopes: [scope], tool: tool.name, ...(option === null ? {} : { option }) };
}

/**
 * The challenge as a header, and as ChatGPT reads it in a result. The scopes named are all that the connection needs, as
 * clients replace what they have by what they are told.
 */
export function askToReconnect(
  tool: Tool,
  { scope }: MissingScope,
  held: readonly Scope[],
  resourceMetadataUrl: string,
): { header: string; result: { _meta: Record<string, string[]> } } {
  const header = [
    'Bearer error="insufficient_scope"',
    `error_description="${tool.name} needs a permission that this connection was not given"`,
    `scope="${[...new Set([...held, scope])].join(' ')}"`,
    `resource_metadata="${resourceMetadataUrl}"`,
  ].join(', ');
  return { header, result: { _meta: { 'mcp/www_authenticate': [header] } } };
}
