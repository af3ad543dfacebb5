/** The quickest of so many runs counts for each size: what a busy machine adds to the others is left out. */
const RUNS = 3;
const TIMES = 4;
/** A growth that is too large is measured again: other processes can slow one measurement, and never make a square look like a line. */
const MEASUREMENTS = 8;
/** Less says nothing: clocks are not finer. */
const MICROSECONDS_MIN = 4_000;

/**
 * Growth of CPU time when the input is four times as large: 4 if time is in proportion to the size, 16 if it is in
 * proportion to its square. The same for a fast machine and a slow one.
 * @param from size to begin with; it is doubled until the time can be measured
 */
export async function growth(work: (size: number) => unknown, from: number): Promise<number> {
  let size = from;
  let small = await quickest(work, size);
  for (; small < MICROSECONDS_MIN; small = await quickest(work, size)) size *= 2;
  let least = (await quickest(work, size * TIMES)) / small;
  for (let more = 1; more < MEASUREMENTS && least >= GROWTH_MAX; more += 1) {
    const again = await quickest(work, size);
    least = Math.min(least, (await quickest(work, size * TIMES)) / again);
  }
  return least;
}

async function quickest(work: (size: number) => unknown, size: number): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.threadCpuUsage();
    await work(size);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Between proportion (4) and a square (16), with room for what caches and the collector do. */
export const GROWTH_MAX = 9;
