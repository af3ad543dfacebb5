import type { CallToolResult } from '@modelcontextprotocol/server';
import { fail, PeriscopeError } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import type { CallFact } from '#core/fact.ts';
import { CALL_DEADLINE_MS } from '#core/limits.ts';
import type { Principal } from '#core/principal.ts';
import { redactUrl } from '#core/text.ts';
import type { Services } from '#tools/context.ts';
import type { Tool, ToolAnswer } from '#tools/define-tool.ts';
import { invalidArgument } from './invalid-argument.ts';
import { errorResult, successResult } from './result.ts';
import type { StructuredUse } from './structured-hosts.ts';

export type CallEnvironment = {
  principal: Principal;
  services: Services;
  structured: StructuredUse;
  /** Whether the negotiated protocol knows `resource_link` content (since 2025-06-18). */
  resourceLinks: boolean;
  requestId: string;
  now: () => number;
  /** Takes the one fact of the call. */
  record: (fact: CallFact) => void;
  /** Takes an error nobody planned for; its text never reaches the caller. */
  reportUnexpected: (requestId: string, error: unknown) => void;
};

/** The other end of a call: it can go away, and it may want to hear how far the call is. */
export type Caller = { signal: AbortSignal; progress: (done: number, total: number) => void };

/**
 * The one pipeline every call goes through: scope → parse → run with deadline and abort signal → error mapping →
 * output check → size budget → one fact. Tools neither catch, nor check, nor log.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  caller: Caller,
  env: CallEnvironment,
): Promise<CallToolResult> {
  const started = env.now();
  const outcome = await attempt(tool, input, caller, env);
  const failure = 'failure' in outcome ? outcome.failure : null;
  const answer = 'answer' in outcome ? outcome.answer : null;
  env.record({
    ts: new Date(started).toISOString(),
    requestId: env.requestId,
    tool: tool.name,
    url: loggedUrl(answer, failure),
    ms: env.now() - started,
    cacheHit: answer?.cacheHit ?? null,
    status: failure === null ? 'ok' : 'error',
    errorCode: failure?.code ?? null,
  });
  return 'failure' in outcome
    ? errorResult(outcome.failure, env.structured.errors)
    : successResult(outcome.answer, env.structured.results, env.resourceLinks);
}

type Outcome = { answer: ToolAnswer<Record<string, unknown>> } | { failure: Failure };

async function attempt(tool: Tool, input: unknown, caller: Caller, env: CallEnvironment): Promise<Outcome> {
  const { principal, services, requestId } = env;
  if (!principal.scopes.includes(tool.scope)) {
    return { failure: { code: 'permission_denied', scopes: [tool.scope], tool: tool.name } };
  }
  const given = input ?? {};
  const parsed = tool.parse(given);
  if (!parsed.ok) return { failure: invalidArgument(tool, given, parsed.issues) };
  const deadline = AbortSignal.timeout(CALL_DEADLINE_MS);
  const signal = AbortSignal.any([caller.signal, deadline]);
  try {
    const answer = await Promise.race([
      parsed.run({ principal, services, signal, progress: caller.progress }),
      rejectAtDeadline(deadline, tool),
    ]);
    if (!tool.accepts(answer.structured)) throw new TypeError(`${tool.name}: the result does not fit its schema`);
    return { answer };
  } catch (error) {
    if (error instanceof PeriscopeError) return { failure: error.failure };
    if (deadline.aborted) return { failure: tooSlow(tool) };
    env.reportUnexpected(requestId, error);
    return { failure: { code: 'internal', requestId } };
  }
}

function rejectAtDeadline(deadline: AbortSignal, tool: Tool): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener('abort', () => {
      try {
        fail(tooSlow(tool));
      } catch (error) {
        reject(error);
      }
    });
  });
}

function tooSlow(tool: Tool): Failure {
  return { code: 'timeout', what: `The call of ${tool.name}`, afterMs: CALL_DEADLINE_MS };
}

function loggedUrl(answer: ToolAnswer<Record<string, unknown>> | null, failure: Failure | null): string | null {
  if (answer?.url !== undefined) return redactUrl(answer.url);
  return failure !== null && 'url' in failure && failure.url !== undefined ? redactUrl(failure.url) : null;
}
