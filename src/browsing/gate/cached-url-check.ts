import { SECOND_MS } from '#core/limits.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { checkUrl } from '#net/fetch/gate.ts';
import type { AddressGateDeps } from '#net/fetch/gate.ts';
import type { DecideUrl } from './request-gate.ts';

/** Time for which a decision about a host is cached. Much shorter than the usual TTL of a DNS answer. */
const BROWSER_GATE_MEMORY_MS = 30 * SECOND_MS;
/** Maximum cached decisions, one per host and port. A page uses a few dozen. */
const BROWSER_GATE_MEMORY_MAX = 500;
const BROWSER_GATE_MS = 5 * SECOND_MS;

/**
 * Checks a browser's requests as the server's own fetches are checked. A page sends hundreds of requests to a few
 * hosts, so the decision for each host and port is cached for a short time.
 */
export function createCachedUrlDecider(deps: AddressGateDeps, now: () => number): DecideUrl {
  const known = new Map<string, { reason: string | null; until: number }>();
  return async (url) => {
    const key = originKey(url);
    const remembered = key === null ? undefined : known.get(key);
    if (remembered !== undefined && remembered.until > now()) return remembered.reason;
    const reason = await ask(url, deps);
    if (key !== null) {
      if (known.size >= BROWSER_GATE_MEMORY_MAX) known.clear();
      known.set(key, { reason, until: now() + BROWSER_GATE_MEMORY_MS });
    }
    return reason;
  };
}

/** @returns `null` for a URL with a user name or password, because the gate refuses such a URL whatever the host is */
function originKey(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, username, password } = new URL(url);
  return username === '' && password === '' ? `${protocol}//${host}` : null;
}

async function ask(url: string, deps: AddressGateDeps): Promise<string | null> {
  try {
    await withTimeout(BROWSER_GATE_MS, (late) => checkUrl(url, deps, late));
    return null;
  } catch (error) {
    const failure = error instanceof PeriscopeError ? error.failure : null;
    if (failure?.code === 'ssrf_blocked') return failure.reason;
    if (failure?.code === 'fetch_failed') return UNREACHABLE + failure.reason;
    return NOT_IN_TIME;
  }
}

const UNREACHABLE = 'it cannot be reached: ';
const NOT_IN_TIME = `${UNREACHABLE}it could not be looked up in time`;

export function isUnreachableReason(reason: string): boolean {
  return reason.startsWith(UNREACHABLE);
}
