import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in the kernel's accounting. */
const TICKS = 100;

/** CPU time in ms that the renderers below this process have used so far. Linux only. */
export function rendererCpuMs(): number {
  const processes = readdirSync('/proc').flatMap((id) => (/^\d+$/u.test(id) ? (processOf(id) ?? []) : []));
  const parents = new Map(processes.map(({ id, parent }) => [id, parent]));
  const own = processes.filter(({ id, isRenderer }) => isRenderer && isBelow(id, parents));
  return own.reduce((sum, { ticks }) => sum + ticks, 0) * (1_000 / TICKS);
}

function isBelow(id: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(id); at !== undefined && at > 1; at = parents.get(at)) if (at === process.pid) return true;
  return false;
}

function processOf(id: string) {
  try {
    const isRenderer = readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer');
    // The name of a process may contain spaces and brackets.
    const fields = (readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ').map(Number);
    const [, parent = 0] = fields;
    return { id: Number(id), parent, isRenderer, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) };
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}
