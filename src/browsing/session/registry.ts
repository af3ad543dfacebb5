import { SESSION_UNSEEN_MAX_MS } from './limits.ts';

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
