/** The fastest of this many runs counts for each size, which leaves out delays of a busy machine. */
const RUNS = 3;
const TIMES = 4;
/** A growth that is too large is measured again, because other processes can slow one measurement. */
const MEASUREMENTS = 8;
/** In a shorter time, objects are still collected while they are young, which takes half of the time an object. */
const MICROSECONDS_MIN = 16_000;

/**
 * Growth of CPU time when the input is four times as large: 4 if time is linear, 16 if quadratic. The same on fast and
 * slow machines.
 * @param from first size; it is doubled until the time can be measured
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

/** Between linear (4) and quadratic (16), with room for caches and the garbage collector. */
export const GROWTH_MAX = 9;
