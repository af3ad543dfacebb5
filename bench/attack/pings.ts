import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './wire.ts';

/** How long another person waits while something else goes on: a `ping` every 100 ms, each from its own connection. */
export type Waits = {
  /** ms */
  max: number;
  median: number;
  pings: number;
  failed: number;
  /** How much of the time the Worker’s thread was ready and had no core, from 0 to 1; `null` where the system does not say. */
  starved: number | null;
};

const EVERY_MS = 100;

export async function whilePinging<T>(who: Caller, work: () => Promise<T>): Promise<{ result: T; waits: Waits }> {
  const took: number[] = [];
  const open: Promise<void>[] = [];
  let failed = 0;
  const ping = async () => {
    const from = performance.now();
    const answer = await who.rpc('ping').catch(() => null);
    if (answer === null || answer.isRefused) failed += 1;
    took.push(performance.now() - from);
  };
  const from = performance.now();
  const waitedBefore = coreless();
  const beat = setInterval(() => open.push(ping()), EVERY_MS);
  let result: T;
  try {
    result = await work();
    // What a call leaves behind counts, too.
    await sleep(2 * EVERY_MS);
  } finally {
    clearInterval(beat);
    await Promise.all(open);
  }
  const waitedAfter = coreless();
  const ms = performance.now() - from;
  const starved = waitedBefore === null || waitedAfter === null ? null : (waitedAfter - waitedBefore) / ms;
  const sorted = took.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return { result, waits: { max: sorted.at(-1) ?? 0, median, pings: took.length, failed, starved } };
}

/** ms that the Worker’s thread was ready to run and had no core, since it began (Linux). */
function coreless(): number | null {
  try {
    const pid = workerd();
    if (pid === null) return null;
    const [, waited = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return null;
  }
}

let known: string | null = null;

/** The runtime among the processes that this one started. */
function workerd(): string | null {
  if (known !== null) return known;
  const parents = new Map<string, string>();
  const names = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const end = stat.lastIndexOf(')');
      names.set(pid, stat.slice(stat.indexOf('(') + 1, end));
      parents.set(pid, stat.slice(end + 2).split(' ')[1] ?? '');
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && pid !== '0' && (pid === String(process.pid) || isOurs(parents.get(pid)));
  known = [...names].find(([pid, name]) => name === 'workerd' && isOurs(pid))?.[0] ?? null;
  return known;
}
