import { createMcpHandler } from '@modelcontextprotocol/server';
import { REQUEST_BODY_BYTES_MAX } from './limits.ts';
import { readCapped } from '#core/read-capped.ts';
import type { Tool } from '#tools/define-tool.ts';
import { isOffered, mayCall } from '#tools/offers.ts';
import { TOOLSETS } from '#tools/toolsets.ts';
import { PeriscopeError } from '#core/errors.ts';
import { plainAnswer } from './plain-answer.ts';
import { parseRequestOptions } from './request-options.ts';
import { answerToLink, opensLinks, sessionIdFor } from './link-requests.ts';
import type { CallEnvironment } from './run-tool.ts';
import { challenge, deniedCall } from './scope-challenge.ts';
import { buildServer } from './server.ts';
import { structuredUse } from './structured-hosts.ts';
import { parseJson } from '#core/json.ts';

export type McpEnvironment = Omit<CallEnvironment, 'structured' | 'resourceLinks' | 'opensLinks'> & {
  /** Takes a refused or malformed protocol message: worth a log line, never an alarm. */
  reportProtocolError: (requestId: string, error: Error) => void;
  /** Where clients learn how to ask for more permissions. */
  resourceMetadataUrl: string;
};

/**
 * `POST /mcp`: stateless Streamable HTTP, both protocol eras from one factory. Nothing survives the request but what
 * the services store.
 */
export async function handleMcp(request: Request, env: McpEnvironment): Promise<Response> {
  return plainAnswer(await answer(request, env), is2025(request.headers.get('mcp-protocol-version') ?? ''));
}

/** Whether a version is older than 2026-07-28. A client of the 2025 era names none before it has agreed on one. */
function is2025(version: string): boolean {
  return version < MODERN_SINCE;
}

async function answer(request: Request, env: McpEnvironment): Promise<Response> {
  const options = parseRequestOptions(new URL(request.url));
  if (!options.ok)
    return Response.json({ error: 'invalid_request', error_description: options.problem }, { status: 400 });
  const tools = options.tools.filter((tool) => isOffered(tool, env.abilities));
  const isPost = request.method === 'POST';
  const body = isPost ? await readCapped(request.body, REQUEST_BODY_BYTES_MAX) : '';
  if (body === null) return Response.json({ error: 'request_too_large' }, { status: 413 });
  // What is not JSON goes on as it is: the SDK answers with its parse error.
  const parsed = parseJson(body);
  const hostNames = [request.headers.get('user-agent'), clientNameOf(parsed)];
  const version = request.headers.get('mcp-protocol-version');
  const denied = deniedCall(parsed, tools, env.principal);
  if (denied !== null) {
    const { errors } = structuredUse(options.structured, hostNames, version !== null && is2025(version));
    env.record({
      ts: new Date(env.now()).toISOString(),
      requestId: env.requestId,
      tool: denied.tool.name,
      url: null,
      ms: 0,
      cacheHit: null,
      status: 'error',
      errorCode: 'permission_denied',
    });
    return challenge(denied, env.resourceMetadataUrl, errors);
  }
  const said = answerToLink(parsed);
  if (said !== null) return takeAnswer(said, env);
  const handler = createMcpHandler(
    ({ era }) => {
      const structured = structuredUse(options.structured, hostNames, era === 'legacy' && version !== null);
      const resourceLinks = era === 'modern' || (version !== null && version >= RESOURCE_LINKS_SINCE);
      const told = { structured, resourceLinks, opensLinks: era === 'legacy' && opensLinks(request.headers) };
      return buildServer(tools, options.toolsets, { ...env, ...told }, calledTool(parsed, tools));
    },
    { onerror: (error) => env.reportProtocolError(env.requestId, error) },
  );
  if (!isPost) return handler.fetch(request);
  if (parsed === undefined)
    return handler.fetch(new Request(request.url, { method: 'POST', headers: request.headers, body }));
  return withSession(await handler.fetch(request, { parsedBody: parsed }), sessionIdFor(parsed));
}

/** What a person said to a link that they were asked to open. That they open it, the session sees by itself. */
async function takeAnswer(
  { session, isDeclined }: { session: string; isDeclined: boolean },
  { principal, services, requestId, reportProtocolError }: McpEnvironment,
): Promise<Response> {
  if (isDeclined && mayCall(principal, TOOLSETS.browser)) {
    try {
      await services.browser.decline(session);
    } catch (error) {
      if (!(error instanceof PeriscopeError)) throw error;
      reportProtocolError(requestId, error);
    }
  }
  return new Response(null, { status: 202 });
}

function withSession(given: Response, id: string | null): Response {
  if (id === null || !given.ok) return given;
  const named = new Response(given.body, given);
  named.headers.set('mcp-session-id', id);
  return named;
}

/** The one tool that a message calls; `null` when it is about something else or names an unknown tool. */
function calledTool(message: unknown, tools: readonly Tool[]): Tool | null {
  if (at(message, 'method') !== 'tools/call') return null;
  const name = at(at(message, 'params'), 'name');
  return tools.find((tool) => tool.name === name) ?? null;
}

/** Revisions are dates, so they sort as text. */
const RESOURCE_LINKS_SINCE = '2025-06-18';
const MODERN_SINCE = '2026-07-28';

const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/** `clientInfo.name` of an `initialize` (2025 era) or of any request (2026-07-28 carries it in `_meta`). */
function clientNameOf(body: unknown): string | null {
  const info = at(at(body, 'params'), 'clientInfo') ?? at(at(at(body, 'params'), '_meta'), CLIENT_INFO_KEY);
  const name = at(info, 'name');
  return typeof name === 'string' ? name : null;
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
