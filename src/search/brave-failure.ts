import * as z from 'zod';
import type { Failure } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import type { HttpAnswer } from './http.ts';
import type { RateWindow } from '#client/rate-windows.ts';
import { SECOND_MS } from '#core/units.ts';

/** Brave's `ErrorResponse`; the reference shows a list of errors, the service sends one. */
const apiError = z.object({
  code: z.string(),
  meta: z.object({ errors: z.array(z.object({ loc: z.array(z.unknown()) })).nullish() }).nullish(),
});
const errorBody = z.object({ error: apiError.nullish(), errors: z.array(apiError).nullish() });

/** Codes that mean the operator's key or plan must change, and what to say of them. */
const KEY_PROBLEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    SUBSCRIPTION_TOKEN_INVALID: 'it is not valid',
    SUBSCRIPTION_TOKEN_MISSING: 'it was not received',
    SUBSCRIPTION_NOT_FOUND: 'it belongs to no subscription',
    RESOURCE_NOT_ALLOWED: 'it is not allowed to use web search',
    OPTION_NOT_IN_PLAN: 'its plan does not include an option of this search, such as extra_snippets or goggles',
  }),
);
const KEY_STATUSES = new Set([401, 403]);
/** Further documented codes; any other is not repeated. */
const KNOWN_CODES = new Set([...KEY_PROBLEMS.keys(), 'VALIDATION', 'INTERNAL', 'RATE_LIMITED', 'QUOTA_LIMITED']);

const FIELDS: ReadonlyMap<string, string> = new Map(
  ['count', 'offset', 'freshness', 'safesearch', 'country', 'search_lang', 'ui_lang', 'extra_snippets', 'goggles']
    .map((name) => [name, name] as const)
    .concat([['q', 'query']]),
);

const TOO_MANY = 429;

/** Whether trying again may help: too fast, or a fault of the server. A used-up quota does not come back in time. */
export function mayPass(answer: HttpAnswer): boolean {
  return answer.status >= 500 || (answer.status === TOO_MANY && readError(answer).code !== 'QUOTA_LIMITED');
}

/** What a refusal of Brave means (API reference: 400, 403, 404, 422, 429 and their codes). */
export function braveFailure(answer: HttpAnswer, windows: readonly RateWindow[]): Failure {
  const provider = 'brave';
  const { status } = answer;
  const { code, locations } = readError(answer);
  if (status === TOO_MANY) {
    return { code: 'search_rate_limited', provider, retryAfterSeconds: retryAfter(windows, code === 'QUOTA_LIMITED') };
  }
  const keyProblem = keyProblemOf(status, code, locations);
  if (keyProblem !== null) return { code: 'search_auth_error', provider, reason: keyProblem };
  const field = locations
    .map(([where, name]) => (where === 'query' ? FIELDS.get(name ?? '') : undefined))
    .find(Boolean);
  if (code === 'VALIDATION' && field !== undefined) return badValue(field);
  if (status >= 300 && status < 400) {
    return { code: 'search_unavailable', provider, reason: 'it answered with a redirect, which is not followed' };
  }
  return {
    code: 'search_unavailable',
    provider,
    reason: `it answered HTTP ${status}${code === null ? '' : ` ${code}`}`,
  };
}

function keyProblemOf(status: number, code: string | null, locations: readonly string[][]): string | null {
  const named = code === null ? undefined : KEY_PROBLEMS.get(code);
  if (named !== undefined) return named;
  const isHeader = locations.some(([where, name]) => where === 'header' && name === 'x-subscription-token');
  if (isHeader) return 'it was sent in a form that is not accepted';
  return KEY_STATUSES.has(status) ? `it answered HTTP ${status}` : null;
}

function badValue(field: string): Failure {
  return {
    code: 'invalid_argument',
    field,
    problem: 'the search provider brave does not know this value',
    hint: `Leave ${field} out, or pass a common value: country such as US or ALL, search_lang such as en, ui_lang such as en-US.`,
  };
}

function readError(answer: HttpAnswer): { code: string | null; locations: string[][] } {
  const parsed = errorBody.safeParse(parseJson(answer.text));
  const error = parsed.success ? (parsed.data.error ?? parsed.data.errors?.[0]) : undefined;
  if (error === undefined) return { code: null, locations: [] };
  return {
    code: KNOWN_CODES.has(error.code) ? error.code : null,
    locations: (error.meta?.errors ?? []).map(({ loc }) => loc.map(String)),
  };
}

/**
 * The time until the used-up windows start again: the longest for a quota, otherwise the shortest. Whole seconds, 1 or
 * more.
 */
function retryAfter(windows: readonly RateWindow[], isQuota: boolean): number {
  const waits = windows
    .filter((window) => window.limit > 0 && window.remaining === 0)
    .map((window) => window.resetMs ?? window.windowMs);
  if (waits.length === 0) return 1;
  return Math.max(1, Math.ceil((isQuota ? Math.max(...waits) : Math.min(...waits)) / SECOND_MS));
}
