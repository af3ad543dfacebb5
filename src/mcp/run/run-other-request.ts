import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ServerContext } from '@modelcontextprotocol/server';
import { describeFailure } from '#core/failures/describe-failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { describeActivities } from './call-activities.ts';
import { runCall } from './run-call.ts';
import type { CallRecorder, AnswerLogFacts } from './run-call.ts';
import type { CallEnvironment } from './run-tool.ts';

/**
 * Runs a request other than a tool call. It costs as much as a call. Resources and prompts have no error result, so a
 * failure becomes a protocol error with the same code, message and hint.
 * @throws {ProtocolError} made by `toError`
 */
export async function runRequest<T>(
  name: string,
  context: ServerContext,
  env: CallRecorder & Pick<CallEnvironment, 'budgets' | 'recordActivity' | 'principal'>,
  work: (signal: AbortSignal) => Promise<AnswerLogFacts & { result: T }>,
  toError: (failure: Failure) => ProtocolError = toProtocolError,
): Promise<T> {
  const outcome = await runCall(name, context.mcpReq.signal, env, async (signal) => {
    await env.budgets.spend({ calls: 1 });
    return work(signal);
  });
  // A prompt without a page is not recorded, because it showed nothing to a model.
  if (outcome.fact.url !== null)
    env.recordActivity(describeActivities({ name, toolset: 'web' }, {}, outcome, env.principal));
  if ('failure' in outcome) throw toError(outcome.failure);
  return outcome.answer.result;
}

/** Like `runRequest`, but free and not logged. For requests that hosts send on their own, such as lists. */
export async function runUnlogged<T>(
  name: string,
  context: ServerContext,
  env: CallRecorder,
  work: () => Promise<T>,
): Promise<T> {
  const silent = { ...env, record: () => undefined };
  const outcome = await runCall<{ result: T } & AnswerLogFacts>(name, context.mcpReq.signal, silent, async () => ({
    result: await work(),
  }));
  if ('failure' in outcome) throw toProtocolError(outcome.failure);
  return outcome.answer.result;
}

/** Maps a failure to a JSON-RPC error: `InvalidParams` if the caller can correct it, otherwise `InternalError`. */
export function toProtocolError(failure: Failure): ProtocolError {
  const { error, message, hint, extra } = describeFailure(failure);
  const code = CORRECTABLE.has(failure.code) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  const sentence = message.endsWith('.') ? message : `${message}.`;
  return new ProtocolError(code, `${sentence} ${hint}`, { error, hint, ...extra });
}

const CORRECTABLE: ReadonlySet<Failure['code']> = new Set([
  'invalid_argument',
  'invalid_url',
  'ssrf_blocked',
  'unknown_snapshot',
]);

const TOO_MANY_REQUESTS = 429;

/**
 * The response to a request that was rejected because of overload. Its JSON-RPC id is `null`, because the body was not
 * read.
 */
export function overloadedResponse(failure: Failure): Response {
  const { code, message, data } = toProtocolError(failure);
  const seconds = 'retryAfterSeconds' in failure ? failure.retryAfterSeconds : undefined;
  const headers = seconds === undefined ? undefined : { 'retry-after': String(seconds) };
  const body = { jsonrpc: '2.0', id: null, error: { code, message, data } };
  return Response.json(body, { status: TOO_MANY_REQUESTS, ...(headers === undefined ? {} : { headers }) });
}
