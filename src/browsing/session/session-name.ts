import { fail } from '#core/failures/failure.ts';

const SESSION_NAME_CHARS_MAX = 64;
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

export function isSharedSession(name: string): boolean {
  return name.startsWith(SHARED_PREFIX);
}

export function sharedSessionName(name: string): string {
  return isSharedSession(name) ? name : SHARED_PREFIX + name;
}

/** Key of a session. It begins with the subject, so that private sessions of two users never share a key. */
export function sessionKey(subject: string, name: string): string {
  return isSharedSession(name) ? name : `private/${subject}/${name}`;
}
