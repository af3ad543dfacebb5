import { fail, PeriscopeError } from '#core/errors.ts';

type Kind = { pattern: RegExp; reason: string; isTransient: boolean };

/**
 * workerd and Node report the same events in different words; theirs are matched here and never shown. workerd has one
 * for a refused connection and a lost one.
 */
const KINDS: readonly Kind[] = [
  { pattern: /refused/i, reason: 'the connection was refused', isTransient: false },
  {
    pattern: /not found|ENOTFOUND|EAI_AGAIN|\bDNS\b/i,
    reason: 'the host name could not be looked up',
    isTransient: false,
  },
  {
    pattern: /certificate|\bTLS\b|\bSSL\b|CERT_|handshake/i,
    reason: 'a secure connection could not be made',
    isTransient: false,
  },
  { pattern: /connection lost/i, reason: 'the connection could not be made or broke off', isTransient: true },
  {
    pattern: /reset|closed|hang up|disconnect|EPIPE|premature|terminated|aborted/i,
    reason: 'the connection broke off',
    isTransient: true,
  },
];

/** `fetch failed` ← `connect ECONNREFUSED` ← an error for each address. */
const CAUSES_READ = 3;

/** Whether trying again may help: the connection ended, rather than never being possible. */
export function isTransient(error: unknown): boolean {
  return kindOf(error)?.isTransient ?? false;
}

/** A network exception as a failure in our own words. */
export function failNetwork(error: unknown, url: string): never {
  if (error instanceof PeriscopeError) throw error;
  fail({ code: 'fetch_failed', url, reason: kindOf(error)?.reason ?? 'the request did not work' }, { cause: error });
}

function kindOf(error: unknown): Kind | undefined {
  const text = causes(error);
  return KINDS.find((kind) => kind.pattern.test(text));
}

/** Node hides the event in `cause`. */
function causes(error: unknown): string {
  const texts: string[] = [];
  let current = error;
  for (let depth = 0; depth < CAUSES_READ && current instanceof Error; depth += 1) {
    texts.push(`${'code' in current ? String(current.code) : ''} ${current.message}`);
    current = current.cause;
  }
  return texts.join(' ');
}
