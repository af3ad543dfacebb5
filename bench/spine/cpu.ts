import { readdirSync, readFileSync } from 'node:fs';

/**
 * Reads the CPU time (ms) that the workerd processes below this one have used so far, all threads together. It shows
 * the cost of a call even while other programs share the machine. `null` if there is no `/proc`.
 */
export function cpuReader(): (() => number) | null {
  const processes = listProcesses();
  const parents = new Map(processes.map(({ id, parent }) => [id, parent]));
  const workers = processes.filter(({ id, name }) => name.startsWith('workerd') && isBelowUs(id, parents));
  if (workers.length === 0) return null;
  return () => workers.reduce((sum, { id }) => sum + cpuMs(id), 0);
}

function listProcesses(): { id: number; name: string; parent: number }[] {
  const ids = attempt(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name))) ?? [];
  return ids.flatMap((id) => {
    const stat = attempt(() => readFileSync(`/proc/${id}/stat`, 'utf8'));
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat ?? '') ?? [];
    return name === undefined ? [] : [{ id: Number(id), name, parent: Number(parent) }];
  });
}

function isBelowUs(id: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) if (at === process.pid) return true;
  return false;
}

/** The scheduler's own count, in nanoseconds, is finer than the ticks of `stat`. */
function cpuMs(id: number): number {
  const threads = attempt(() => readdirSync(`/proc/${id}/task`)) ?? [];
  const nanoseconds = threads.map((thread) => {
    const spent = attempt(() => readFileSync(`/proc/${id}/task/${thread}/schedstat`, 'utf8')) ?? '0';
    return Number(spent.split(' ')[0]);
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000_000;
}

/** A process or thread may end during the look. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
