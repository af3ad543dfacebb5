import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Principal, Scope } from '#core/principal.ts';
import type { Tool } from '#tools/define-tool.ts';
import { mayCall } from '#tools/offers.ts';
import { errorResult } from './result.ts';

/** A call of a tool that exists but was not granted. */
export type DeniedCall = { id: JSONRPCRequest['id']; tool: Tool; held: readonly Scope[] };

/** `null` for everything else, which goes the usual way. @param body one parsed message; batches are not looked into */
export function deniedCall(body: unknown, tools: readonly Tool[], caller: Principal): DeniedCall | null {
  if (at(body, 'method') !== 'tools/call') return null;
  const id = at(body, 'id');
  const name = at(at(body, 'params'), 'name');
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined || mayCall(caller, tool)) return null;
  return typeof id === 'string' || typeof id === 'number' ? { id, tool, held: caller.scopes } : null;
}

/**
 * 403 with the challenge of RFC 6750 §3.1, by which clients ask the person for more, and the same in the body for those
 * that read results: the tool error, and the field by which ChatGPT offers to connect again. The scopes named are all
 * that the connection needs, as clients replace what they have by what they are told.
 */
export function challenge({ id, tool, held }: DeniedCall, resourceMetadataUrl: string, structured: boolean): Response {
  const scopes = [...new Set([...held, tool.scope])];
  const header = [
    'Bearer error="insufficient_scope"',
    `error_description="${tool.name} needs a permission that this connection was not given"`,
    `scope="${scopes.join(' ')}"`,
    `resource_metadata="${resourceMetadataUrl}"`,
  ].join(', ');
  const result = {
    ...errorResult({ code: 'permission_denied', scopes: [tool.scope], tool: tool.name }, structured),
    _meta: { 'mcp/www_authenticate': [header] },
  };
  return Response.json(
    { jsonrpc: '2.0', id, result },
    { status: 403, headers: { 'www-authenticate': header, 'cache-control': 'no-store' } },
  );
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
