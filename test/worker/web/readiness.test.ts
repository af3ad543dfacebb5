import { afterEach, describe, expect, it, vi } from 'vitest';
import { READINESS_QUERY_MS_MAX, READINESS_CACHE_TTL_MS } from '#web/limits.ts';
import { findReadinessProblem } from '#web/health/health-check.ts';
import type { ReadinessDeps } from '#web/health/health-check.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { serverWith } from '#support/server-with.ts';

function database(applied: () => Promise<string[]>) {
  const state = { clock: 1, asked: 0, reported: 0, noted: [] as string[] };
  const deps: ReadinessDeps = {
    now: () => state.clock,
    applied: () => {
      state.asked += 1;
      return applied();
    },
    expected: ['0000_a.sql', '0001_b.sql'],
    noteNotReady: (why) => void state.noted.push(why),
    report: () => void (state.reported += 1),
  };
  const memory = { problem: null, until: 0 };
  return { state, ask: () => findReadinessProblem(memory, deps) };
}

afterEach(() => void vi.useRealTimers());

describe('the readiness of a deployment', () => {
  it('is reported by the whole Worker, with tables in its database', async () => {
    const answer = await serverWith({})(new Request(`${ORIGIN}/healthz`));
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('depends on every migration of this version, and not on those of a later one', async () => {
    expect(await database(async () => ['0000_a.sql', '0001_b.sql', '0002_later.sql']).ask()).toBeNull();
    expect(await database(async () => ['0000_a.sql']).ask()).toContain('lacks 1 of 2 migrations');
  });

  it('is logged once while tables are still being created, and is not an unexpected error', async () => {
    const applied: string[] = [];
    const { state, ask } = database(async () => applied);
    for (let n = 0; n < 3; n += 1) {
      expect(await ask()).toContain('lacks 2 of 2 migrations');
      state.clock += READINESS_CACHE_TTL_MS;
    }
    applied.push('0000_a.sql', '0001_b.sql');
    expect(await ask()).toBeNull();
    expect(state.noted).toEqual([expect.stringContaining('lacks 2 of 2 migrations')]);
    expect(state.reported).toBe(0);
  });

  it('is reported in words of this server when the database fails, or does not answer', async () => {
    const failing = database(() => Promise.reject(new Error('D1_ERROR: no such table: d1_migrations')));
    expect(await failing.ask()).toBe('The database does not answer.');
    expect(failing.state.reported).toBe(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = database(() => new Promise(() => undefined)).ask();
    await vi.advanceTimersByTimeAsync(READINESS_QUERY_MS_MAX - 1);
    expect(await Promise.race([answer, Promise.resolve('none yet')])).toBe('none yet');
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toMatch(/^The database does not answer/);
  });

  it('queries the database only occasionally, however often it is requested', async () => {
    const { state, ask } = database(async () => ['0000_a.sql', '0001_b.sql']);
    for (let n = 0; n < 20; n += 1) await ask();
    expect(state.asked).toBe(1);
    state.clock += READINESS_CACHE_TTL_MS;
    await ask();
    expect(state.asked).toBe(2);
  });
});
