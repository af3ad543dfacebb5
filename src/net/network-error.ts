import { fail, PeriscopeError } from '#core/errors.ts';

/** How a request ended without an answer, in our words, and whether trying again may help. */
type Event = { reason: string; isTransient: boolean };
type Kind = Event & { pattern: RegExp };

const REFUSED = 'the connection was refused';
const NO_NAME = 'the host name could not be looked up';
const NOT_SECURE = 'a secure connection could not be made';
const NOT_MADE = 'the connection could not be made or broke off';
const BROKEN_OFF = 'the connection broke off';

/**
 * workerd and Node report the same events in different words; theirs are matched here and never shown. workerd has one
 * for a refused connection and a lost one.
 */
const KINDS: readonly Kind[] = [
  { pattern: /refused/i, reason: REFUSED, isTransient: false },
  { pattern: /not found|ENOTFOUND|EAI_AGAIN|\bDNS\b/i, reason: NO_NAME, isTransient: false },
  { pattern: /certificate|\bTLS\b|\bSSL\b|CERT_|handshake/i, reason: NOT_SECURE, isTransient: false },
  { pattern: /connection lost/i, reason: NOT_MADE, isTransient: true },
  {
    pattern: /reset|closed|hang up|disconnect|EPIPE|premature|terminated|aborted/i,
    reason: BROKEN_OFF,
    isTransient: true,
  },
];

/** What Cloudflare answers in place of a site that it cannot reach, and the reason for it. */
const IN_PLACE_OF_A_SITE: ReadonlyMap<number, Event> = new Map([
  [520, { reason: BROKEN_OFF, isTransient: true }],
  [521, { reason: REFUSED, isTransient: false }],
  [522, { reason: NOT_MADE, isTransient: true }],
  [523, { reason: NOT_MADE, isTransient: true }],
  [524, { reason: BROKEN_OFF, isTransient: true }],
  [525, { reason: NOT_SECURE, isTransient: false }],
  [526, { reason: NOT_SECURE, isTransient: false }],
  [527, { reason: BROKEN_OFF, isTransient: true }],
  [530, { reason: NO_NAME, isTransient: false }],
]);

/** The event that an answer of this status stands for, or `null` when it is the site that answers. */
export function standsFor(status: number): Event | null {
  return IN_PLACE_OF_A_SITE.get(status) ?? null;
}

/** The site gave no answer, and Cloudflare said so in its place. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly event: Event;
  constructor(event: Event) {
    super(event.reason);
    this.event = event;
  }
}

/** `fetch failed` ← `connect ECONNREFUSED` ← an error for each address. */
const CAUSES_READ = 3;

/** Whether trying again may help: the connection ended, rather than never being possible. */
export function isTransient(error: unknown): boolean {
  return kindOf(error)?.isTransient ?? false;
}

/** A network exception as a failure in our own words. */
export function failNetwork(error: unknown, url: string): never {
  if (error instanceof PeriscopeError) throw error;
  fail({ code: 'fetch_failed', url, reason: kindOf(error)?.reason ?? 'the request failed' }, { cause: error });
}

function kindOf(error: unknown): Event | undefined {
  if (error instanceof NoAnswer) return error.event;
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
