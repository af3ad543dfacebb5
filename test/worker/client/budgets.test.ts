import { env } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { SubjectBudgets, createBudgets } from '#client/budgets.ts';
import { grantLease, parseLeasedToday } from '#client/deployment/deployment-budgets.ts';
import type { BudgetLimits, BudgetName, CallCosts, BudgetRefusal } from '#core/budgets.ts';
import { stories } from '#support/stories.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-11-21T12:00:00Z');
const PLENTY = 1_000_000_000;

function limits(given: { minute?: number; own?: CallCosts; total?: CallCosts }): BudgetLimits {
  const all = { calls: PLENTY, searches: PLENTY, browser_ms: PLENTY };
  return {
    callsPerMinute: given.minute ?? PLENTY,
    perDay: { ...all, ...given.own },
    totalPerDay: { ...all, ...given.total },
  };
}

/** A deployment with its own clock, whose objects answer when `hop` lets them. */
class World {
  now = START;
  asked = 0;
  readonly hop: () => Promise<void>;
  #deployment = parseLeasedToday(undefined);
  readonly #stored = new Map<string, unknown>();
  readonly #subjects = new Map<string, SubjectBudgets>();

  constructor(hop: () => Promise<void> = async () => undefined) {
    this.hop = hop;
  }

  subject(name: string): SubjectBudgets {
    const known = this.#subjects.get(name);
    if (known !== undefined) return known;
    const made = new SubjectBudgets({
      now: () => this.now,
      load: () => parseLeasedToday(this.#stored.get(name)),
      save: (taken) => void this.#stored.set(name, structuredClone(taken)),
      loadUsed: () => parseLeasedToday(this.#stored.get(`used by ${name}`)),
      saveUsed: (used) => void this.#stored.set(`used by ${name}`, structuredClone(used)),
      lease: async (ask, totals) => {
        this.asked += 1;
        await this.hop();
        const { taken, answer } = grantLease(this.#deployment, ask, totals, this.now);
        this.#deployment = structuredClone(taken);
        await this.hop();
        return answer;
      },
    });
    this.#subjects.set(name, made);
    return made;
  }

  /** Simulates a move of the object by the platform, which loses its memory. */
  restart(name: string): void {
    this.#subjects.delete(name);
  }
}

type Passed = { subject: string; at: number; costs: CallCosts };

/** The most that any window of this length holds. */
function fullest(passed: readonly Passed[], budget: BudgetName, windowMs: number): number {
  const sums = passed.map(({ at: from }) =>
    passed.reduce((sum, { at, costs }) => (at >= from && at < from + windowMs ? sum + (costs[budget] ?? 0) : sum), 0),
  );
  return Math.max(0, ...sums);
}

describe('budgets', () => {
  it('report what was used, not what was reserved, and still do after a restart', async () => {
    const world = new World();
    const all = limits({});
    expect(await world.subject('anna').spend({ calls: 1 }, all)).toBeNull();
    expect(await world.subject('anna').spend({ calls: 1, searches: 1 }, all)).toBeNull();
    expect(await world.subject('anna').spend({ calls: PLENTY }, all)).not.toBeNull();
    const sumOf = (slots: readonly (readonly [number, number])[]) => slots.reduce((sum, [, amount]) => sum + amount, 0);
    const seen = () => {
      const { taken, used } = world.subject('anna');
      return [sumOf(taken.calls), sumOf(used.calls), sumOf(used.searches), sumOf(used.browser_ms)];
    };
    expect(seen()).toEqual([64, 2, 1, 0]);
    world.restart('anna');
    expect(seen()).toEqual([64, 2, 1, 0]);
    world.now += DAY + 20 * MINUTE;
    expect(await world.subject('anna').spend({ calls: 1 }, all)).toBeNull();
    expect(seen()).toEqual([64, 1, 1, 0]);
  });

  it('never allow more than the limits in any window, in whatever order answers come', async () => {
    const step = fc.record({
      subject: fc.constantFrom('anna', 'ben', 'cleo'),
      after: fc.oneof(fc.constant(0), fc.nat({ max: 40_000 }), fc.nat({ max: DAY / 8 })),
      costs: fc.record({ calls: fc.constant(1), searches: fc.nat({ max: 2 }), browser_ms: fc.nat({ max: 700 }) }),
      answers: fc.nat({ max: 3 }),
      restart: fc.boolean(),
    });
    const small = fc.integer({ min: 1, max: 12 });
    const limit = fc.record({ calls: small, searches: small, browser_ms: fc.integer({ min: 1, max: 6_000 }) });
    const given = fc.record({ minute: fc.integer({ min: 1, max: 5 }), own: limit, total: limit });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(step, { maxLength: 40 }), given, async (scheduler, steps, asked) => {
        const world = new World(() => scheduler.schedule(Promise.resolve()));
        const allowed = limits(asked);
        const passed: Passed[] = [];
        const begin = async ({ subject, costs }: (typeof steps)[number]) => {
          if ((await world.subject(subject).spend(costs, allowed)) === null)
            passed.push({ subject, at: world.now, costs });
        };
        const running: Promise<void>[] = [];
        for (const next of steps) {
          world.now += next.after;
          running.push(begin(next));
          for (let n = 0; n < next.answers && scheduler.count() > 0; n += 1) await scheduler.waitOne();
          await settle();
          if (next.restart && scheduler.count() === 0) world.restart(next.subject);
        }
        while (scheduler.count() > 0) {
          await scheduler.waitOne();
          await settle();
        }
        await Promise.all(running);
        for (const budget of ['calls', 'searches', 'browser_ms'] as const) {
          expect(fullest(passed, budget, DAY)).toBeLessThanOrEqual(allowed.totalPerDay[budget]);
          for (const subject of ['anna', 'ben', 'cleo']) {
            const own = passed.filter((one) => one.subject === subject);
            expect(fullest(own, budget, DAY)).toBeLessThanOrEqual(allowed.perDay[budget]);
          }
        }
        if (steps.some(({ restart }) => restart)) return;
        for (const subject of ['anna', 'ben', 'cleo']) {
          const own = passed.filter((one) => one.subject === subject);
          expect(fullest(own, 'calls', MINUTE)).toBeLessThanOrEqual(allowed.callsPerMinute);
        }
      }),
      { numRuns: stories(60) },
    );
  });

  it('allow the full limit, and again at the time that they report', async () => {
    const world = new World();
    const allowed = limits({ own: { calls: 100 } });
    for (let n = 0; n < 100; n += 1) expect(await world.subject('anna').spend({ calls: 1 }, allowed)).toBeNull();
    const refusal = await world.subject('anna').spend({ calls: 1 }, allowed);
    expect(refusal).toMatchObject({ budget: 'calls', window: 'day', scope: 'subject' });
    world.now += (refusal?.retryAfterMs ?? 0) - 1;
    expect(await world.subject('anna').spend({ calls: 1 }, allowed)).not.toBeNull();
    world.now += 1;
    expect(await world.subject('anna').spend({ calls: 1 }, allowed)).toBeNull();
  });

  it('spend nothing from any budget for a refused call', async () => {
    const world = new World();
    const allowed = limits({ own: { calls: 3, searches: 1 } });
    const anna = world.subject('anna');
    expect(await anna.spend({ calls: 1, searches: 1 }, allowed)).toBeNull();
    for (let n = 0; n < 9; n += 1) {
      expect(await anna.spend({ calls: 1, searches: 1 }, allowed)).toMatchObject({ budget: 'searches' });
    }
    expect(await anna.spend({ calls: 1 }, allowed)).toBeNull();
    expect(await anna.spend({ calls: 1 }, allowed)).toBeNull();
    expect(await anna.spend({ calls: 1 }, allowed)).toMatchObject({ budget: 'calls' });
  });

  it('stop a burst within a minute, and continue a minute later', async () => {
    const world = new World();
    const allowed = limits({ minute: 5 });
    const anna = world.subject('anna');
    const results = await Promise.all(Array.from({ length: 8 }, () => anna.spend({ calls: 1 }, allowed)));
    const refused = results.filter((result) => result !== null);
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({ budget: 'calls', window: 'minute', scope: 'subject' });
    world.now += refused[0]?.retryAfterMs ?? 0;
    expect(await anna.spend({ calls: 1 }, allowed)).toBeNull();
  });

  it('ask the deployment once for many calls', async () => {
    const world = new World();
    const allowed = limits({ own: { calls: 200_000 }, total: { calls: 1_000_000 } });
    for (let n = 0; n < 640; n += 1) await world.subject('anna').spend({ calls: 1 }, allowed);
    expect(world.asked).toBe(10);
    world.restart('anna');
    await Promise.all(Array.from({ length: 200 }, () => world.subject('anna').spend({ calls: 1 }, allowed)));
    // The first caller asks before the others arrive, and once for all of them.
    expect(world.asked).toBe(12);
  });

  it('count reserved units when they are used, not when they were reserved', async () => {
    const world = new World();
    const allowed = limits({ own: { searches: 4_096 } });
    const anna = world.subject('anna');
    const spend = (searches: number) => anna.spend({ searches }, allowed);
    expect(await spend(1)).toBeNull();
    world.now += DAY / 2;
    for (let n = 0; n < 3; n += 1) expect(await spend(1)).toBeNull();
    // The first is a day old now, and those three are not.
    world.now += DAY / 2 + 15 * MINUTE;
    expect(await spend(4_094)).not.toBeNull();
    expect(await spend(4_091)).toBeNull();
    expect(await spend(3)).not.toBeNull();
  });

  it('do not ask an exhausted deployment repeatedly, and ask again when it has room', async () => {
    const world = new World();
    const allowed = limits({ total: { searches: 1 } });
    expect(await world.subject('anna').spend({ searches: 1 }, allowed)).toBeNull();
    const refusals: (BudgetRefusal | null)[] = [];
    for (let n = 0; n < 20; n += 1) refusals.push(await world.subject('ben').spend({ searches: 1 }, allowed));
    expect(refusals[19]).toMatchObject({ budget: 'searches', window: 'day', scope: 'deployment' });
    expect(world.asked).toBe(2);
    world.now += refusals[19]?.retryAfterMs ?? 0;
    expect(await world.subject('ben').spend({ searches: 1 }, allowed)).toBeNull();
  });

  it('have the earlier counts after a restart', async () => {
    const world = new World();
    const allowed = limits({ own: { calls: 4 } });
    for (let n = 0; n < 3; n += 1) await world.subject('anna').spend({ calls: 1 }, allowed);
    world.restart('anna');
    expect(await world.subject('anna').spend({ calls: 1 }, allowed)).toBeNull();
    expect(await world.subject('anna').spend({ calls: 1 }, allowed)).not.toBeNull();
  });

  it('are given in whole units only', async () => {
    const world = new World();
    await expect(world.subject('anna').spend({ browser_ms: 0.5 }, limits({}))).rejects.toThrow(RangeError);
    await expect(world.subject('anna').spend({ calls: -1 }, limits({}))).rejects.toThrow(RangeError);
  });
});

describe('the objects behind budgets', () => {
  const subject = (name: string) => env.CLIENT.get(env.CLIENT.idFromName(name));

  it('allow exactly the limit of two hundred calls at once, over several subjects', async () => {
    const own = limits({ own: { calls: 40 }, total: { calls: 100 } });
    const calls = Array.from({ length: 200 }, (_, n) => subject(`many-${n % 4}`).spend({ calls: 1 }, own));
    const results = await Promise.all(calls);
    expect(results.filter((result) => result === null)).toHaveLength(100);
    const scopes = new Set(results.flatMap((result) => (result === null ? [] : [result.scope])));
    expect(scopes).toEqual(new Set(['subject', 'deployment']));
  });

  it('allow exactly the limit of one subject, however many calls come at once', async () => {
    const own = limits({ own: { searches: 30 }, total: { searches: 1_000_000 } });
    const calls = Array.from({ length: 200 }, () => subject('one').spend({ calls: 1, searches: 1 }, own));
    const results = await Promise.all(calls);
    expect(results.filter((result) => result === null)).toHaveLength(30);
  });

  it('keep their counts when they are restarted', async () => {
    const own = limits({ own: { searches: 2 } });
    expect(await subject('moved').spend({ searches: 1 }, own)).toBeNull();
    await evictDurableObject(subject('moved'));
    await evictDurableObject(env.DEPLOYMENT.get(env.DEPLOYMENT.idFromName('deployment')));
    expect(await subject('moved').spend({ searches: 1 }, own)).toBeNull();
    expect(await subject('moved').spend({ searches: 1 }, own)).toMatchObject({ budget: 'searches' });
  });

  it('refuse browser time that does not fit completely, with advice', async () => {
    const budgets = createBudgets(subject('browsing'), limits({ own: { browser_ms: 90_000 } }));
    await budgets.spend({ browser_ms: 60_000 });
    const failure = await budgets.spend({ browser_ms: 60_000 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PeriscopeError);
    expect((failure as PeriscopeError).failure).toMatchObject({
      code: 'rate_limited',
      budget: 'browser minutes per day',
      scope: 'subject',
      setting: 'BUDGET_BROWSER_MINUTES_PER_DAY',
    });
  });
});

/** Waits until no work can continue without the scheduler. */
async function settle(): Promise<void> {
  for (let n = 0; n < 30; n += 1) await Promise.resolve();
}
