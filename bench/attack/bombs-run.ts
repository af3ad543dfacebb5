import { setTimeout as sleep } from 'node:timers/promises';
import { ASKED } from './bombs-asked.ts';
import { GROWING } from './bombs-growing.ts';
import { SERVED } from './bombs.ts';
import type { Bomb } from './bombs.ts';
import { crowds } from './crowds.ts';
import { FLOODS } from './floods.ts';
import { always } from './oracle.ts';
import { whilePinging } from './pings.ts';
import type { Waits } from './pings.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';

const PING_MS_MAX = 1_000;
const QUIET_MS = 3_000;
/** One round without a long wait is enough: a wait with another cause does not repeat. */
const ROUNDS = 2;

/** Measurements for the report: one line for each bomb. */
export const measured: { name: string; waits: Waits; seconds: number }[] = [];

/**
 * @param isShared true if others use this machine. Then the time that the Worker waited for a core does not count,
 * although a page that keeps every core busy also causes such waits
 */
export async function bombs(rig: Rig, isShared: boolean): Promise<Part> {
  const quiet = (name: string): Try => ({
    name: `control: nothing else goes on, ${name}`,
    run: async () => {
      const { waits } = await whilePinging(rig.bob.caller, () => sleep(QUIET_MS));
      measured.push({ name: `(nothing, ${name})`, waits, seconds: QUIET_MS / 1_000 });
      return waits.failed > 0 ? `${waits.failed} pings failed` : null;
    },
  });
  return {
    name: 'bombs',
    tries: [
      quiet('at the start'),
      ...[...SERVED, ...ASKED, ...GROWING].map((bomb) => tryOf(rig, bomb, isShared)),
      ...crowds(rig, isShared),
      quiet('between'),
      ...FLOODS.map((bomb) => tryOf(rig, bomb, isShared)),
      quiet('at the end'),
    ],
  };
}

function tryOf(rig: Rig, bomb: Bomb, isShared: boolean): Try {
  return {
    name: bomb.name,
    run: async () => {
      let problem: string | null = null;
      for (let round = 0; round < ROUNDS; round += 1) {
        const go = await bomb.prepare(rig);
        const from = performance.now();
        const { result, waits } = await whilePinging(rig.bob.caller, go);
        const ms = performance.now() - from;
        measured.push({ name: bomb.name, waits, seconds: ms / 1_000 });
        const wrong = result.map((answer) => always(answer)).find((one) => one !== null);
        if (wrong !== undefined) return wrong;
        if (waits.failed > 0) return `${waits.failed} pings of another failed`;
        const wait = isShared ? waits.own : waits.max;
        problem = wait > PING_MS_MAX ? `another waited ${(wait / 1_000).toFixed(1)} s` : null;
        if (problem === null) return null;
      }
      return problem;
    },
  };
}
