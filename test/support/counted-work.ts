import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

const TIMES = 4;
let session: Session | null = null;

/**
 * Growth of the work of some modules when the input is four times as large: 4 if it is linear, 16 if quadratic. V8
 * counts the work: how often each block of their code ran. The count is the same on each run and each machine.
 * @param folders parts of the addresses of the modules
 */
export async function workGrowth(
  work: (size: number) => unknown,
  size: number,
  folders: readonly string[],
): Promise<number> {
  const small = await countedWork(() => work(size), folders);
  return (await countedWork(() => work(TIMES * size), folders)) / small;
}

export async function countedWork(work: () => unknown, folders: readonly string[]): Promise<number> {
  const counting = await startCounting();
  await counting.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await counting.post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => folders.some((folder) => url.includes(folder)));
  const ranges = own.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  if (ranges.length === 0) throw new Error(`No module of ${folders.join(', ')} ran.`);
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Starts counting, once for a process. Functions compiled earlier count as one block each, so load their modules after
 * this. V8 would take them from its cache if the same text had been compiled before.
 */
export async function startCounting(): Promise<Session> {
  if (session !== null) return session;
  setFlagsFromString('--no-compilation-cache');
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
}

/** Between linear (4) and quadratic (16), with room for sorting. */
export const WORK_GROWTH_MAX = 5.5;
