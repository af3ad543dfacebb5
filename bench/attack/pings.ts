import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './wire.ts';

/**
 * Time that another user waits during other work: a `ping` every 100 ms, each on its own connection. `own` leaves out
 * the time that the Worker’s thread waited for a core on a shared machine; on an idle machine it equals `max`. It also
 * equals `max` if the system does not report that time.
 */
export type Waits = {
  /** The longest wait, in ms. */
  max: number;
  own: number;
  median: number;
  p95: number;
  pings: number;
  failed: number;
};

const EVERY_MS = 100;

export async function whilePinging<T>(who: Caller, work: () => Promise<T>): Promise<{ result: T; waits: Waits }> {
  const took: { ms: number; own: number }[] = [];
  const open: Promise<void>[] = [];
  let failed = 0;
  const ping = async () => {
    const from = performance.now();
    const corelessBefore = coreless();
    const answer = await who.rpc('ping').catch(() => null);
    if (answer === null || answer.isRefused) failed += 1;
    const ms = performance.now() - from;
    took.push({ ms, own: Math.max(0, ms - (coreless() - corelessBefore)) });
  };
  const beat = setInterval(() => open.push(ping()), EVERY_MS);
  let result: T;
  try {
    result = await work();
    // Work after the call counts, too.
    await sleep(2 * EVERY_MS);
  } finally {
    clearInterval(beat);
    await Promise.all(open);
  }
  const sorted = took.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const waits = {
    max: sorted.at(-1) ?? 0,
    own: Math.max(0, ...took.map(({ own }) => own)),
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    pings: took.length,
    failed,
  };
  return { result, waits };
}

/** Time in ms that the Worker’s thread has been ready to run without a core; 0 if the system does not report it. */
export function coreless(): number {
  try {
    const pid = workerd();
    if (pid === null) return 0;
    const [, waited = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
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
      // The process has ended meanwhile.
    }
  }
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && pid !== '0' && (pid === String(process.pid) || isOurs(parents.get(pid)));
  known = [...names].find(([pid, name]) => name === 'workerd' && isOurs(pid))?.[0] ?? null;
  return known;
}
