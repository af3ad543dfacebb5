import { SESSION_NAME_CHARS_MAX, SESSION_UNSEEN_MAX_MS } from './limits.ts';
import { fail } from '#core/failures/failure.ts';

/** A session that has a browser, or is about to get one. */
export type OpenSession = {
  key: string;
  /** Who started it or last restored it; it counts against their limit. */
  subject: string;
  name: string;
};

export type Entry = OpenSession & { since: number; seenAt: number };

export type Admission =
  | { granted: true }
  | { granted: false; scope: 'subject' | 'deployment'; limit: number; open: string[] };

/** A session whose object was silent for long has no browser: the platform ends browsers that get no commands. */
export function stillOpen(entries: readonly Entry[], now: number): Entry[] {
  return entries.filter(({ seenAt }) => now - seenAt < SESSION_UNSEEN_MAX_MS);
}

export function admissionFor(
  { key, subject }: OpenSession,
  entries: readonly Entry[],
  { perSubject, total }: { perSubject: number; total: number },
): Admission {
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

/** The names of two subjects' private sessions never collide. */
export function sessionKey(subject: string, name: string): string {
  return isShared(name) ? name : `private/${subject}/${name}`;
}
