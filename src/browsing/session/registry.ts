import { SESSION_NAME_CHARS_MAX, SESSION_UNSEEN_MAX_MS } from './limits.ts';
import { fail } from '#core/failures/failure.ts';

/** A session that has a browser, or is about to get one. */
export type OpenSession = {
  /** The name of its object, unique in the deployment. */
  key: string;
  /** Who started it or last restored it. It counts against their limit. */
  subject: string;
  /** The name that people use. */
  name: string;
};

export type Entry = OpenSession & { since: number; seenAt: number };

/** Whether there is room. If not, whose limit is reached, and which sessions of the asking subject are open. */
export type Room =
  | { granted: true }
  | { granted: false; scope: 'subject' | 'deployment'; limit: number; open: string[] };

/**
 * Sessions whose object has been silent for long have no browser: the platform ends a browser that gets no commands.
 */
export function stillOpen(entries: readonly Entry[], now: number): Entry[] {
  return entries.filter(({ seenAt }) => now - seenAt < SESSION_UNSEEN_MAX_MS);
}

/** Decides on one more session. Pure. @param entries those that are still open */
export function roomFor(
  { key, subject }: OpenSession,
  entries: readonly Entry[],
  { perSubject, total }: { perSubject: number; total: number },
): Room {
  const others = entries.filter((entry) => entry.key !== key);
  const own = others.filter((entry) => entry.subject === subject);
  const open = own.map(({ name }) => name);
  if (own.length >= perSubject) return { granted: false, scope: 'subject', limit: perSubject, open };
  if (others.length >= total) return { granted: false, scope: 'deployment', limit: total, open };
  return { granted: true };
}

const SHARED_PREFIX = 'shared/';
const NAME = new RegExp(`^(?:shared/)?[A-Za-z0-9][A-Za-z0-9._-]{0,${SESSION_NAME_CHARS_MAX - 1}}$`);

export function isSessionName(name: string): boolean {
  return NAME.test(name);
}

/** @throws {PeriscopeError} `invalid_argument` */
export function checkSessionName(name: string): void {
  if (isSessionName(name)) return;
  fail({
    code: 'invalid_argument',
    field: 'session',
    problem: `must be 1 to ${SESSION_NAME_CHARS_MAX} letters, digits, dots, hyphens or underscores; a shared one starts with shared/`,
    hint: 'Leave it out for the session "default", or pass a name such as "work".',
  });
}

export function isShared(name: string): boolean {
  return name.startsWith(SHARED_PREFIX);
}

export function sharedName(name: string): string {
  return isShared(name) ? name : SHARED_PREFIX + name;
}

/** The name of the object behind a session. Private sessions of two subjects can never meet. */
export function sessionKey(subject: string, name: string): string {
  return isShared(name) ? name : `private/${subject}/${name}`;
}
