import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const RUNTIME = 'workerd';
/** Unit in which Linux counts CPU time: a clock tick. */
const TICK_MS = 10;
/** Indexes of fields after the program's name: process group, and time in the program and in the system. */
const [GROUP, USER, SYSTEM] = [2, 11, 12] as const;

/**
 * CPU time (ms) that the runtime in a process group has used so far.
 * @returns `null` if it cannot be determined
 */
export function runtimeCpuMs(group: number): Promise<number | null> {
  if (process.platform === 'linux') return fromProc(group);
  return process.platform === 'win32' ? Promise.resolve(null) : fromPs(group);
}

async function fromProc(group: number): Promise<number | null> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const times = await Promise.all(
    processes.map(async (pid) => {
      // The process may have ended in the meantime.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      if (!stat.includes(`(${RUNTIME})`)) return null;
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(fields[GROUP]) === group ? TICK_MS * (Number(fields[USER]) + Number(fields[SYSTEM])) : null;
    }),
  );
  return sumOf(times);
}

async function fromPs(group: number): Promise<number | null> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,time=,comm=']).catch(() => ({ stdout: '' }));
  return sumOf(
    stdout.split('\n').map((line) => {
      const [, pgid, time = '', program = ''] = /^ *(\d+) +(\S+) +(.+)$/.exec(line) ?? [];
      return Number(pgid) === group && program.endsWith(RUNTIME) ? msOf(time) : null;
    }),
  );
}

/** Parses `minutes:seconds.hundredths`, optionally after days and hours. */
export function msOf(time: string): number {
  const parts = time.split(/[:-]/).map(Number).toReversed();
  const seconds = [1, 60, 3_600, 86_400].reduce((sum, unit, at) => sum + unit * (parts[at] ?? 0), 0);
  return Math.round(seconds * 1_000);
}

function sumOf(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : known.reduce((sum, time) => sum + time, 0);
}
