import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Failure } from '#core/failures/failure.ts';
import type { Principal, Scope } from '#core/principal.ts';
import { isJsonObject } from '#core/text/json.ts';
import { mayCall } from '#tools/catalog.ts';
import type { MissingScope } from '#tools/catalog.ts';
import type { Tool } from '#tools/define-tool.ts';
import { errorResult } from './result.ts';

type DeniedCall = { id: JSONRPCRequest['id']; tool: Tool; held: readonly Scope[] };

/**
 * Returns the call if its tool was not granted, to be refused with 403; `null` for other messages. If only an *option*
 * was not granted, the call gets a tool error instead, because client libraries show a model nothing but "403".
 * @param message one parsed message; batches are ignored
 */
export function findDeniedCall(message: unknown, tools: readonly Tool[], caller: Principal): DeniedCall | null {
  if (!isJsonObject(message) || message['method'] !== 'tools/call' || !isJsonObject(message['params'])) return null;
  const { id, params } = message;
  const tool = tools.find(({ name }) => name === params['name']);
  if (tool === undefined || mayCall(caller, tool)) return null;
  return typeof id === 'string' || typeof id === 'number' ? { id, tool, held: caller.scopes } : null;
}

/**
 * Responds 403 with the challenge of RFC 6750 §3.1, which makes clients ask the user for more permissions. The body
 * contains a tool error with `permission_denied`, and the field that makes ChatGPT offer to reconnect.
 */
export function createScopeChallengeResponse(
  { id, tool, held }: DeniedCall,
  resourceMetadataUrl: string,
  structured: boolean,
): Response {
  const missing = { scope: tool.scope, option: null };
  const reconnect = createScopeChallenge(tool, missing, held, resourceMetadataUrl);
  const result = { ...errorResult(permissionDeniedFailure(tool, missing), structured), ...reconnect.result };
  return Response.json(
    { jsonrpc: '2.0', id, result },
    { status: 403, headers: { 'www-authenticate': reconnect.header, 'cache-control': 'no-store' } },
  );
}

export function permissionDeniedFailure(tool: Tool, { scope, option }: MissingScope): Failure {
  return { code: 'permission_denied', scopes: [scope], tool: tool.name, ...(option === null ? {} : { option }) };
}

/**
 * Builds the challenge, as a header and as the result field that ChatGPT reads. The challenge lists all scopes that the
 * connection needs, because clients replace the granted scopes with the listed ones.
 */
export function createScopeChallenge(
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
