import { createMcpHandler } from '@modelcontextprotocol/server';
import { cancelledRequestIds, requestKey } from './cancellation.ts';
import { REQUEST_BODY_BYTES_MAX } from './limits.ts';
import { readBodyText } from '#core/flow/read-capped.ts';
import type { Tool, ToolsetName } from '#tools/define-tool.ts';
import { isToolOffered, mayCall, CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';
import { TOOLSETS } from '#tools/define-tool.ts';
import { findFailure, PeriscopeError } from '#core/failures/failure.ts';
import { UNRESERVED_BODY_BYTES_MAX, SECOND_MS } from '#core/limits.ts';
import { memoryToRead } from '#reading/open/page-memory.ts';
import { overloadedResponse } from '#mcp/run/run-other-request.ts';
import { trackResponseEnd } from '#client/calls-at-once.ts';
import {
  parseAcceptedFormats,
  convertToAcceptedFormat,
  isListenRequest,
  notAcceptable,
  acceptJsonAndEvents,
  sanitizeResponse,
} from './accept.ts';
import type { AcceptedFormats } from './accept.ts';
import { ToolListCache } from './listed-tools.ts';
import {
  normalizeMessage,
  findInvalidParams,
  parseLinkAnswer,
  canOpenLinks,
  sessionIdForInitialize,
} from './messages.ts';
import type { NonObjectArguments } from './messages.ts';
import type { CallEnvironment } from '#mcp/run/run-tool.ts';
import { buildServer, RUNNING_CALLS } from './server.ts';
import { decideStructuredUse } from '#mcp/run/structured-hosts.ts';
import { parseJson } from '#core/text/json.ts';
import { createScopeChallengeResponse, findDeniedCall } from '#mcp/run/denied-calls.ts';
import type { CreateMcpHandlerOptions, RequestId } from '@modelcontextprotocol/server';

/** The toolsets of the catalogue. A connection that requests no toolset gets all of these. */
const TOOLSET_NAMES = ['reader', 'web', 'library', 'browser'] as const satisfies readonly ToolsetName[];

/**
 * Interval of the writes that detect a closed connection. To keep a connection open, far fewer writes would be enough.
 */
const KEEP_ALIVE_INTERVAL_MS = 1 * SECOND_MS;

type McpEnvironment = Omit<CallEnvironment, 'structured' | 'resourceLinks' | 'opensLinks'> & {
  /** Logs a rejected or malformed protocol message. Such messages never raise an alarm. */
  reportProtocolError: (requestId: string, error: Error) => void;
  /** URL of the metadata that tells clients how to request more permissions. */
  resourceMetadataUrl: string;
};

/** Handles `POST /mcp` as stateless Streamable HTTP, for both protocol eras. Only stored data outlives a request. */
export async function handleMcp(sent: Request, env: McpEnvironment): Promise<Response> {
  const forms = parseAcceptedFormats(sent);
  if (sent.method === 'POST' && !forms.json && !forms.events) return notAcceptable();
  const request = acceptJsonAndEvents(sent);
  const isFrom2025 = isBeforeModern(request.headers.get('mcp-protocol-version') ?? '');
  const room = roomForBody(request, env.services);
  try {
    const taken = await takeRequest(request, isFrom2025, env, room.make);
    if (taken instanceof Response) return room.untilEnd(await sanitizeResponse(taken, isFrom2025));
    const { parsed } = taken;
    if (isListenRequest(parsed) && !forms.events) return room.untilEnd(notAcceptable());
    const answer = await LISTED.answer(request, parsed, env, async () =>
      sanitizeResponse(await answerTo(taken, request, { ...env, forms }), isFrom2025),
    );
    return room.untilEnd(convertToAcceptedFormat(withReadableSession(answer), forms, Array.isArray(parsed)));
  } catch (error) {
    room.end();
    const failure = findFailure(error);
    if (failure?.code !== 'overloaded') throw error;
    return overloadedResponse(failure);
  }
}

/** True for a protocol version before 2026-07-28. A client of the 2025 era sends no version before `initialize`. */
function isBeforeModern(version: string): boolean {
  return version < MODERN_SINCE;
}

/** Reserves memory for a large body and its processing until the response ends. */
function roomForBody(request: Request, { inMemory, waitUntil }: McpEnvironment['services']) {
  const { promise: answered, resolve: end } = Promise.withResolvers<void>();
  const announced = Number(request.headers.get('content-length') ?? REQUEST_BODY_BYTES_MAX);
  const need = memoryToRead('html', Math.min(announced, REQUEST_BODY_BYTES_MAX));
  let isMade = false;
  return {
    make: () => {
      isMade = true;
      return new Promise<void>((resolve, reject) => {
        const work = inMemory(async (share) => {
          await share.take(need, request.signal);
          resolve();
          await answered;
        });
        waitUntil(work.catch(reject));
      });
    },
    untilEnd: (given: Response): Response => {
      if (!isMade) return given;
      const { response, ended } = trackResponseEnd(given);
      void ended.then(end);
      return response;
    },
    end,
  };
}

/** Cache that all requests of this isolate share. */
const LISTED = new ToolListCache();

type Taken = Message & { tools: readonly Tool[]; options: GoodOptions };

async function takeRequest(
  request: Request,
  isFrom2025: boolean,
  env: McpEnvironment,
  makeRoom: () => Promise<void>,
): Promise<Taken | Response> {
  const options = parseRequestOptions(new URL(request.url));
  if (!options.ok)
    return Response.json({ error: 'invalid_request', error_description: options.problem }, { status: 400 });
  const tools = options.tools.filter((tool) => isToolOffered(tool, env.abilities));
  const isPost = request.method === 'POST';
  const message = isPost ? await readMessage(request, makeRoom) : NO_MESSAGE;
  if (message === null) return tooLarge(REQUEST_BODY_BYTES_MAX);
  const { parsed } = message;
  const refused = findInvalidParams(parsed);
  if (refused !== null) return Response.json(refused, { status: isFrom2025 ? 200 : 400 });
  if (message.isLong && calledTool(parsed, tools)?.takesLongText !== true) return tooLarge(UNRESERVED_BODY_BYTES_MAX);
  const denied = findDeniedCall(parsed, tools, env.principal);
  if (denied !== null) {
    const hostNames = [request.headers.get('user-agent'), clientNameOf(parsed)];
    const version = request.headers.get('mcp-protocol-version');
    const { errors } = decideStructuredUse(options.structured, hostNames, version !== null && isBeforeModern(version));
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
    return createScopeChallengeResponse(denied, env.resourceMetadataUrl, errors);
  }
  return { ...message, tools, options };
}

async function answerTo(
  { parsed, unparsed, oddArguments, tools, options }: Taken,
  request: Request,
  env: McpEnvironment & { forms: AcceptedFormats },
): Promise<Response> {
  const isPost = request.method === 'POST';
  const version = request.headers.get('mcp-protocol-version');
  const hostNames = [request.headers.get('user-agent'), clientNameOf(parsed)];
  const said = parseLinkAnswer(parsed);
  if (said !== null) return takeAnswer(said, env);
  if (isBeforeModern(version ?? '')) cancelCalls(parsed, request.headers, env);
  const handler = createMcpHandler(
    ({ era }) => {
      const structured = decideStructuredUse(options.structured, hostNames, era === 'legacy' && version !== null);
      const resourceLinks = era === 'modern' || (version !== null && version >= RESOURCE_LINKS_SINCE);
      const isLegacy = era === 'legacy';
      const told = {
        structured,
        resourceLinks,
        opensLinks: isLegacy && env.forms.events && canOpenLinks(request.headers),
        requestKey: (id: RequestId) => (isLegacy ? requestKey(env.principal, request.headers, id) : null),
      };
      return buildServer(
        tools,
        options.toolsets,
        { ...env, ...told },
        oddArguments,
        calledTool(parsed, tools) !== null,
      );
    },
    { onerror: (error) => env.reportProtocolError(env.requestId, error), ...streamingOf(parsed) },
  );
  if (!isPost) return handler.fetch(request);
  if (parsed === undefined)
    return handler.fetch(new Request(request.url, { method: 'POST', headers: request.headers, body: unparsed }));
  return withSession(await handler.fetch(request, { parsedBody: parsed }), sessionIdForInitialize(parsed));
}

type Message = {
  parsed: unknown;
  oddArguments: NonObjectArguments;
  /** Text of a body that is not JSON; empty otherwise. The SDK gets this text and responds with its parse error. */
  unparsed: string;
  /** True for a body that is large enough to need a memory reservation. */
  isLong: boolean;
};

const NO_MESSAGE: Message = { parsed: undefined, oddArguments: new Map(), unparsed: '', isLong: false };

/** Reads the message; `null` if it is too large. Returns no copy of the text, which may be megabytes. */
async function readMessage(request: Request, makeRoom: () => Promise<void>): Promise<Message | null> {
  let isLong = false;
  const body = await readBodyText(request.body, REQUEST_BODY_BYTES_MAX, async () => {
    isLong = true;
    await makeRoom();
  });
  if (body === null) return null;
  const { message, oddArguments } = normalizeMessage(parseJson(body));
  return { parsed: message, oddArguments, unparsed: message === undefined ? body : '', isLong };
}

function tooLarge(limitBytes: number): Response {
  const description = `This request is larger than ${limitBytes} bytes. Only web_extract and browser_fill take longer texts, up to ${REQUEST_BODY_BYTES_MAX} bytes.`;
  return Response.json({ error: 'request_too_large', error_description: description }, { status: 413 });
}

const CALLS: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Options that stream the response of a call, with a write every second to detect a closed connection. */
function streamingOf(message: unknown): Pick<CreateMcpHandlerOptions, 'responseMode' | 'keepAliveMs'> {
  const isCall = [message].flat().some((one) => CALLS.has(at(one, 'method')));
  return isCall ? { responseMode: 'sse', keepAliveMs: KEEP_ALIVE_INTERVAL_MS } : {};
}

/** Cancels the named calls after the response, because the client does not wait for the result. */
function cancelCalls(message: unknown, headers: Headers, env: McpEnvironment): void {
  const { principal, services, requestId, reportUnexpected } = env;
  const keys = new Set(cancelledRequestIds(message).flatMap((id) => requestKey(principal, headers, id) ?? []));
  for (const key of keys) {
    const cancelled = RUNNING_CALLS.cancel(key, headers.has('mcp-session-id'), principal.subject, services.browser);
    services.waitUntil(cancelled.catch((error: unknown) => reportUnexpected(requestId, error)));
  }
}

/** Handles the user's answer to a request to open a link. The session itself notices when the link is opened. */
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

/** Exposes the `Mcp-Session-Id` header by CORS, because web pages could not read it otherwise. */
function withReadableSession(given: Response): Response {
  const readable = new Response(given.body, given);
  readable.headers.append('access-control-expose-headers', 'Mcp-Session-Id');
  return readable;
}

function withSession(given: Response, id: string | null): Response {
  if (id === null || !given.ok) return given;
  const named = new Response(given.body, given);
  named.headers.set('mcp-session-id', id);
  return named;
}

/** Returns the tool that a single message calls; `null` for other messages or an unknown tool. */
function calledTool(message: unknown, tools: readonly Tool[]): Tool | null {
  if (at(message, 'method') !== 'tools/call') return null;
  const name = at(at(message, 'params'), 'name');
  return tools.find((tool) => tool.name === name) ?? null;
}

/** Protocol revision that introduced resource links. Revisions are dates, so they sort as text. */
const RESOURCE_LINKS_SINCE = '2025-06-18';
const MODERN_SINCE = '2026-07-28';

const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/** Returns `clientInfo.name` of an `initialize` (2025 era) or of any request (2026-07-28 has it in `_meta`). */
function clientNameOf(body: unknown): string | null {
  const info = at(at(body, 'params'), 'clientInfo') ?? at(at(at(body, 'params'), '_meta'), CLIENT_INFO_KEY);
  const name = at(info, 'name');
  return typeof name === 'string' ? name : null;
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** Options of the connector URL: `?toolsets=reader,web` or `?toolsets=chatgpt`, and `?structured=on|off`. */
type RequestOptions = GoodOptions | { ok: false; problem: string };
type GoodOptions = { ok: true; tools: readonly Tool[]; toolsets: readonly ToolsetName[]; structured: string | null };

export function parseRequestOptions(url: URL): RequestOptions {
  const structured = url.searchParams.get('structured');
  if (structured !== null && structured !== 'on' && structured !== 'off') {
    return { ok: false, problem: 'structured must be on or off' };
  }
  const asked = url.searchParams.get('toolsets');
  if (asked?.trim() === 'chatgpt') {
    // Structured content is on by default, because ChatGPT requires it in addition to the text.
    return { ok: true, tools: CHATGPT_CATALOG, toolsets: ['chatgpt'], structured: structured ?? 'on' };
  }
  const names = asked === null ? TOOLSET_NAMES : asked.split(',').map((name) => name.trim());
  const toolsets = TOOLSET_NAMES.filter((name) => names.some((candidate) => candidate === name));
  if (toolsets.length !== new Set(names).size) {
    const known = TOOLSET_NAMES.join(', ');
    return { ok: false, problem: `toolsets must be a comma-separated list of: ${known}; or chatgpt, alone` };
  }
  return {
    ok: true,
    tools: CATALOG.filter((tool) => toolsets.some((name) => name === tool.toolset)),
    toolsets,
    structured,
  };
}
