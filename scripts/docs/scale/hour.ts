import { BUDGET_DAY_SLOT_MS } from '#client/limits.ts';
import { KINDS, RATES, SESSION_SECONDS } from './load.ts';
import { OPEN_SESSIONS_MAX } from '#core/limits.ts';
import { LIMITS } from './platform-limits.ts';
import { arrivals, randomFrom } from './random.ts';

/**
 * A busy hour of this many people, second by second. After a quarter of an hour, five times as many calls as usual come
 * for a minute. Later, one person in ten opens the same new page within half a minute.
 */
const SECONDS = 3_600;
const BURST = { from: 900, to: 960, times: 5 } as const;
const HOT_PAGE = { from: 1_500, to: 1_530, share: 0.1 } as const;
const SLOT_SECONDS = BUDGET_DAY_SLOT_MS / 1_000;
/** A longer backlog at the end of the hour means that the database does not catch up. */
const WAIT_ALLOWED_MS = 10_000;

export type Hour = {
  people: number;
  /** Calls in the median second and in the worst one. */
  calls: Spread;
  /** Share of the database's capacity in a second. */
  d1Share: Spread;
  /** Longest wait for the database, in ms; Infinity if it does not catch up within the hour. */
  d1WaitMs: number;
  budgetRequests: Spread;
  /** Requests to the object of the popular page in the worst second. */
  hotPageRequests: number;
  /** Share of the requested sessions. A session that gets no browser is not requested again. */
  sessionsRefused: number;
  browsers: Spread;
};

type Spread = { median: number; worst: number };

/** @param seed the same seed gives the same hour */
export function simulateHour(people: number, seed: number): Hour {
  const random = randomFrom(seed);
  const seconds: { calls: number; d1Ms: number; budget: number; hot: number }[] = [];
  const browsers = new Browsers(people, random);
  for (let second = 0; second < SECONDS; second += 1) {
    const rate = second >= BURST.from && second < BURST.to ? BURST.times : 1;
    const made = Object.values(KINDS).map(({ perSecond, d1Ms }) => {
      const count = arrivals(people * perSecond * rate, random);
      return { count, d1Ms: count * d1Ms };
    });
    const hot = arrivals(hotRate(people, second), random);
    const calls = hot + made.reduce((all, { count }) => all + count, 0);
    const d1Ms = hot * KINDS.cachedOpen.d1Ms + made.reduce((all, one) => all + one.d1Ms, 0);
    seconds.push({ calls, d1Ms, budget: arrivals(budgetRate(people, second, rate), random), hot });
    browsers.pass(rate);
  }
  return {
    people,
    calls: spread(seconds.map(({ calls }) => calls)),
    d1Share: spread(seconds.map(({ d1Ms }) => d1Ms / LIMITS.d1BusyMs.is)),
    d1WaitMs: longestWait(seconds.map(({ d1Ms }) => d1Ms)),
    budgetRequests: spread(seconds.map(({ budget }) => budget)),
    hotPageRequests: Math.max(...seconds.map(({ hot }) => hot)),
    sessionsRefused: browsers.refused / Math.max(1, browsers.asked),
    browsers: spread(browsers.open),
  };
}

function hotRate(people: number, second: number): number {
  const isHot = second >= HOT_PAGE.from && second < HOT_PAGE.to;
  return isHot ? (people * HOT_PAGE.share) / (HOT_PAGE.to - HOT_PAGE.from) : 0;
}

/** A block of calls ends after a quarter of an hour: each person's next call then requests another one. */
function budgetRate(people: number, second: number, rate: number): number {
  const calls = RATES.calls * rate;
  return people * calls * Math.exp(-calls * (second % SLOT_SECONDS));
}

/** Work that is not done in its second waits for the next. */
function longestWait(work: readonly number[]): number {
  let left = 0;
  let longest = 0;
  for (const ms of work) {
    left = Math.max(0, left + ms - LIMITS.d1BusyMs.is);
    longest = Math.max(longest, left);
  }
  return left > WAIT_ALLOWED_MS ? Infinity : longest;
}

/** Sessions with a browser. A session has its browser until it is parked. */
class Browsers {
  readonly open: number[] = [];
  asked = 0;
  refused = 0;
  readonly #people: number;
  readonly #random: () => number;
  readonly #ending: number[] = [];
  #now = 0;
  /** Sessions that wait until their browser may start. */
  #starting = 0;
  #second = 0;

  constructor(people: number, random: () => number) {
    this.#people = people;
    this.#random = random;
    const before = Math.min(OPEN_SESSIONS_MAX, arrivals(people * RATES.sessions * SESSION_SECONDS, random));
    for (let n = 0; n < before; n += 1) this.#begin(Math.floor(random() * SESSION_SECONDS));
  }

  pass(rate: number): void {
    this.#now -= this.#ending[this.#second] ?? 0;
    const asked = arrivals(this.#people * RATES.sessions * rate, this.#random);
    const taken = Math.max(0, Math.min(asked, OPEN_SESSIONS_MAX - this.#now - this.#starting));
    this.asked += asked;
    this.refused += asked - taken;
    this.#starting += taken;
    const begun = Math.min(this.#starting, LIMITS.browserStarts.is);
    this.#starting -= begun;
    for (let n = 0; n < begun; n += 1) this.#begin(this.#second + SESSION_SECONDS);
    this.open.push(this.#now);
    this.#second += 1;
  }

  #begin(end: number): void {
    this.#ending[end] = (this.#ending[end] ?? 0) + 1;
    this.#now += 1;
  }
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, worst: sorted.at(-1) ?? 0 };
}
