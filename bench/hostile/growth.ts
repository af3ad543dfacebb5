import { columns } from '../spine/stats.ts';
import { GROWING } from './growing.ts';
import type { Shape } from './shape.ts';

const SIZES = [1, 2, 4] as const;
const RUNS = 3;
const GROWTH_MAX = 3;
/** Shorter times are harmless, and their growth is not meaningful. */
const MS_MIN = 50;

/**
 * CPU time of each shape at three sizes, each the median of three runs.
 * @param collectGarbage runs between inputs, so that garbage of one does not count for the next
 * @returns names of shapes that take more than three times as long for twice the size
 */
export async function measureGrowing(names: readonly string[], collectGarbage: () => void): Promise<string[]> {
  const rows = [['shape', 'characters', 'ms', 'twice', 'four times', 'growth']];
  const tooMuch: string[] = [];
  for (const [name, shape] of Object.entries(GROWING)) {
    if (names.length > 0 && !names.some((word) => name.includes(word))) continue;
    const times: number[] = [];
    for (const factor of SIZES) times.push(await medianMs(shape, shape.from * factor, collectGarbage));
    const growth = largestGrowth(times);
    if (growth > GROWTH_MAX) tooMuch.push(name);
    rows.push([name, String(shape.from), ...times.map((ms) => ms.toFixed(0)), growth === 0 ? '' : growth.toFixed(1)]);
  }
  console.log(columns(rows));
  return tooMuch;
}

/** The largest growth from one size to the next, among times that are long enough; 0 if none is. */
function largestGrowth(times: readonly number[]): number {
  const growths = times.slice(1).map((ms, at) => (ms > MS_MIN ? ms / Math.max(1, times[at] ?? 1) : 0));
  return Math.max(...growths);
}

async function medianMs({ work }: Shape, size: number, collectGarbage: () => void): Promise<number> {
  const spent: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    collectGarbage();
    const before = process.threadCpuUsage();
    await work(size);
    const { user, system } = process.threadCpuUsage(before);
    spent.push((user + system) / 1_000);
  }
  return spent.toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0;
}
