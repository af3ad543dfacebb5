import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { REDIRECTS_MAX } from '#net/limits.ts';
import { isPrivatePage } from '#core/origin-store.ts';
import { canonicalUrl, shownUrl } from './canonical-url.ts';
import type { NetDeps } from './deps.ts';
import { exchange, type Answer, type Exchange, type Time } from './exchange.ts';
import { gate, judgeUrl } from './gate.ts';
import type { NetPolicy } from './policy.ts';

export type HopsRequest = Exchange & {
  /** Canonical. */
  url: string;
  /** Sent to the origin of `url` only. */
  originHeaders?: Record<string, string>;
  /** Asked after the gate and before the request, for every hop; throws to refuse. */
  approve?: (url: string) => Promise<void>;
};

export type Redirect = { /** Where it was answered, secrets removed. */ url: string; status: number };

export type HopsResult = {
  finalUrl: string;
  redirects: Redirect[];
  answer: Answer;
  /** An address on the way is a secret, or an answer was sent to one person. */
  isPrivate: boolean;
  fetchMs: number;
};

/** The chain of redirects leads to no answer. */
export class DeadEnd extends PeriscopeError {}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects by hand, because each hop is a new address that a stranger chose: canonical form, gate and approval
 * again for every one.
 * @throws {PeriscopeError} everything the gate, `approve` and {@link exchange} throw; {@link DeadEnd} (`fetch_failed`).
 */
export async function followHops(request: HopsRequest, time: Time, deps: NetDeps): Promise<HopsResult> {
  const redirects: Redirect[] = [];
  const seen = new Set<string>();
  let from: string | null = null;
  let url = request.url;
  let isPrivate = false;
  let fetchMs = 0;
  for (;;) {
    seen.add(url);
    await gate(url, deps, time.signal);
    refuseNumber(url, deps.policy);
    refuseDowngrade(from, url);
    await request.approve?.(url);
    const sent = deps.now();
    const answer = await exchange(url, { ...request, headers: headersFor(url, request) }, time, deps);
    fetchMs += deps.now() - sent;
    isPrivate ||= isPrivatePage([url], answer.headers);
    const location = REDIRECT_STATUSES.has(answer.status) ? answer.headers.get('location') : null;
    if (location === null) return { finalUrl: url, redirects, answer, isPrivate, fetchMs };
    redirects.push({ url: shownUrl(url), status: answer.status });
    from = url;
    url = nextHop(url, location, seen, redirects.length);
  }
}

function headersFor(url: string, request: HopsRequest): Record<string, string> {
  const isSameOrigin = new URL(url).origin === new URL(request.url).origin;
  return isSameOrigin ? { ...request.headers, ...request.originHeaders } : request.headers;
}

function nextHop(from: string, location: string, seen: ReadonlySet<string>, count: number): string {
  const next = target(location, from);
  if (seen.has(next)) deadEnd(from, 'it redirects in a loop');
  if (count > REDIRECTS_MAX) deadEnd(from, `it redirects more than ${REDIRECTS_MAX} times`);
  return next;
}

/** A page asked for in private is not read in public: anyone on the way could have written it. */
function refuseDowngrade(from: string | null, url: string): void {
  if (from === null || !from.startsWith('https:') || url.startsWith('https:')) return;
  fail({ code: 'fetch_failed', url: shownUrl(from), reason: 'it redirects from https to http, which is not followed' });
}

function refuseNumber(url: string, policy: NetPolicy): void {
  const verdict = judgeUrl(url, policy);
  if (policy.fetchesNumbers || !verdict.allowed || verdict.host !== 'literal') return;
  const reason = 'this server can fetch sites by host name only, and this is an IP address';
  fail({ code: 'fetch_failed', url: shownUrl(url), reason, only: 'browser' });
}

function target(location: string, from: string): string {
  try {
    return canonicalUrl(location, from);
  } catch (error) {
    const isMalformed = error instanceof PeriscopeError && error.failure.code === 'invalid_url';
    if (isMalformed) deadEnd(from, 'it redirects to an invalid address');
    throw error;
  }
}

function deadEnd(url: string, reason: string): never {
  throw new DeadEnd({ code: 'fetch_failed', url: shownUrl(url), reason });
}
