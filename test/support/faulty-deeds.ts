import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { atEverySite, isPassing, turnsOf, unclear } from './every-call-site.ts';
import type { Ended } from './every-call-site.ts';
import type { Visit } from './oauth-browser.ts';

/**
 * One action of a user or client: its preparation, the action, and what must hold afterwards, however it ended. `left`
 * returns what is wrong then.
 */
export type Deed<T> = {
  prepare: () => Promise<T>;
  run: (ready: T) => Promise<Ended>;
  left: (ready: T, ended: Ended) => Promise<string | null>;
};

type Ready = { run: () => Promise<Ended>; left: (ended: Ended) => Promise<string | null> };

/** Infers one type for the parts of a deed. */
export const deed =
  <T>({ prepare, run, left }: Deed<T>) =>
  async (): Promise<Ready> => {
    const ready = await prepare();
    return { run: () => run(ready), left: (ended: Ended) => left(ready, ended) };
  };

export const nothingLeft = async () => null;

export async function told(response: Promise<Response>): Promise<Ended> {
  const answer = await response;
  return { ok: answer.ok, text: await answer.text() };
}

export async function shown(visit: Promise<Visit>): Promise<Ended> {
  const { page, left } = await visit;
  return left === null ? { ok: page.status < 400, text: page.html } : { ok: true, text: left.href };
}

/**
 * Runs each deed with each fault at every call to a binding, one at a time.
 * @param lost losses that cannot be prevented, by deed: the platform carried out the last call, lost the answer, and
 * accepted nothing more
 */
export function describeDeeds(
  deeds: Readonly<Record<string, () => Promise<Ready>>>,
  lost: Readonly<Record<string, RegExp>> = {},
): void {
  const inTurn = Object.entries(deeds).map(([name, make], at) => [name, make, at] as const);
  describe.each(inTurn)('%s, with a fault at every call to a binding in turn', (name, make, at) => {
    it.each(turnsOf(at))('works or explains what to do, and stores nothing by halves: %s', async (_, turn) => {
      const { fault } = turn;
      const wrong: unknown[] = [];
      await clear();
      let one = await make();
      let ended: Ended = { ok: true, text: '' };
      const answers = await atEverySite(
        async () => (ended = await one.run()),
        turn,
        async () => {
          const left = await one.left(ended);
          const isLost = fault.goesOn === true && lost[name]?.test(left ?? '') === true;
          if (left !== null && !isLost) wrong.push([left, ended.text]);
          await clear();
          one = await make();
        },
      );
      for (const { hit, result } of answers) {
        const why = unclear(result);
        if (why !== null) wrong.push([hit, why, result.text]);
        if (!result.ok && isPassing(fault)) wrong.push([hit, 'fails though it passes', result.text]);
      }
      expect(wrong).toEqual([]);
    });
  });
}

/** Resets limits and deletes grants: failed sign-ins would use up the limit, and piled-up grants would add calls. */
async function clear() {
  await runInDurableObject(env.DEPLOYMENT.get(env.DEPLOYMENT.idFromName('deployment')), (_, state) => {
    for (const table of ['rate_limits', 'unused_clients']) state.storage.sql.exec(`DELETE FROM ${table}`);
  });
  const { keys } = await env.OAUTH_KV.list();
  await Promise.all(keys.map(({ name }) => env.OAUTH_KV.delete(name)));
  await env.DB.prepare('DELETE FROM access_tokens').run();
}
