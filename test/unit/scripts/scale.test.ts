import { describe, expect, it } from 'vitest';
import { simulateHour } from '#scripts/docs/scale/hour.ts';
import { linkTrips } from '#scripts/docs/scale/links.ts';
import { peopleAt, RATES, WALLS } from '#scripts/docs/scale/load.ts';
import { OPEN_SESSIONS_MAX } from '#core/limits.ts';
import { LIMITS } from '#scripts/docs/scale/platform-limits.ts';
import { arrivals, randomFrom } from '#scripts/docs/scale/random.ts';

describe('the simulation of a busy hour', () => {
  const [few, many] = [simulateHour(1_000, 1), simulateHour(100_000, 1)];

  it('is the same for the same seed, and differs for another seed', () => {
    expect(simulateHour(1_000, 1)).toEqual(few);
    expect(simulateHour(1_000, 2)).not.toEqual(few);
  });

  it('matches the assumed behaviour of users on average', () => {
    expect(many.calls.median / (100_000 * RATES.calls)).toBeCloseTo(1, 1);
    expect((many.d1Share.median * LIMITS.d1BusyMs.is) / (100_000 * RATES.d1Ms)).toBeCloseTo(1, 1);
  });

  it('gives out no more browsers than exist, and refuses only users for whom none is free', () => {
    expect(few.sessionsRefused).toBe(0);
    expect(many.browsers.worst).toBeLessThanOrEqual(OPEN_SESSIONS_MAX);
    expect(many.sessionsRefused).toBeGreaterThan(0.9);
  });

  it('agrees with the calculation of when the database is overloaded', () => {
    const database = WALLS.find(({ what }) => what === 'Work of the one database');
    const people = database === undefined ? Number.NaN : peopleAt(database);
    // Half of it leaves room for the minute with five times as many calls, which is caught up with.
    expect(simulateHour(people / 2, 1).d1WaitMs).toBeLessThan(Infinity);
    expect(simulateHour(1.1 * people, 1).d1WaitMs).toBe(Infinity);
  });

  it('has a figure for every limit', () => {
    for (const wall of WALLS) expect(peopleAt(wall)).toBeGreaterThan(100);
  });
});

describe('simulated arrivals', () => {
  it.each([0.01, 3, 400])('are %d on average, and vary randomly', (mean) => {
    const random = randomFrom(7);
    const counts = Array.from({ length: 20_000 }, () => arrivals(mean, random));
    const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const variance = counts.reduce((sum, count) => sum + (count - average) ** 2, 0) / counts.length;
    expect(Math.abs(average - mean)).toBeLessThan(0.05 * mean + 0.002);
    expect(variance / mean).toBeGreaterThan(0.9);
    expect(variance / mean).toBeLessThan(1.1);
  });
});

describe('a public link', () => {
  it('queries the database for each of a few views, and far less often for a crowd', () => {
    expect(linkTrips(1)).toMatchObject({ before: 1, now: 1 });
    expect(linkTrips(1_000)).toMatchObject({ before: 1_000, now: 40 });
  });
});
