import { SESSION_UNSEEN_MAX_MS } from './limits.ts';

/** A session that has, or is about to get, a browser. */
export type OpenSession = {
  /** Of its object: unique in the deployment. */
  key: string;
  /** Who started it or brought it back last, and whose limit it counts on. */
  subject: string;
  /** As its people call it. */
  name: string;
};

export type Entry = OpenSession & { since: number; seenAt: number };

/** Whether there is room, and when not, whose limit is reached by which sessions of the asking subject. */
export type Room =
  | { granted: true }
  | { granted: false; scope: 'subject' | 'deployment'; limit: number; open: string[] };

/** Sessions whose object fell silent have no browser any more: the platform ends one that nobody speaks to. */
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
