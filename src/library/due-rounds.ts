import { HOUR_MS } from '#core/limits.ts';
import type { Follow, FollowStore } from '#storage/library/follows.ts';
import type { ChangeStore } from '#storage/library/changes.ts';
import { startRound, deleteFollow } from './follow.ts';
import type { WorkflowRuns } from './follow.ts';
import { CHANGES_LIFETIME_MS, ROUNDS_PER_HOUR_MAX } from './limits.ts';

export type DueRoundsDeps = {
  follows: FollowStore;
  changes: ChangeStore;
  runs: WorkflowRuns;
  now: () => number;
  /** True if a user with this account may still sign in. */
  isAdmitted: (subject: string, account: unknown) => Promise<boolean>;
  /** Maximum UTF-8 bytes of all followed documents. From this size on, no round starts until changes expire. */
  bytesMax: number;
};

/**
 * Starts the rounds (checks of a followed page or site) that are due. A round that has run for an hour is started again
 * if its workflow instance was never created, and ended if the instance has ended. Follows of users who may no longer
 * sign in are removed. While followed documents exceed the limit, no round starts, until expiring changes have freed
 * space.
 */
export async function startDueRounds(deps: DueRoundsDeps): Promise<{ begun: number; ended: number }> {
  const { follows, changes, now } = deps;
  let begun = 0;
  let ended = 0;
  for (const known of await follows.underWay(now() - HOUR_MS, ROUNDS_PER_HOUR_MAX)) ended += await look(known, deps);
  const hasRoom = (await follows.bytesKept()) < deps.bytesMax;
  for (const known of await follows.due(now(), ROUNDS_PER_HOUR_MAX)) {
    if (await isLeft(known, deps)) await deleteFollow(known, deps);
    else if (hasRoom && (await startRound(known, deps))) begun += 1;
  }
  await changes.purge(now() - CHANGES_LIFETIME_MS);
  return { begun, ended };
}

async function isLeft({ id, subject }: Follow, { follows, isAdmitted }: DueRoundsDeps): Promise<boolean> {
  const person = await follows.withPerson(id);
  return person !== null && person.account !== null && !(await isAdmitted(subject, person.account));
}

async function look(known: Follow, { follows, runs, now }: DueRoundsDeps): Promise<number> {
  const { id, run, round, origin } = known;
  if (run === null) return 0;
  if (await runs.hasEnded(run)) {
    await follows.endRound(id, round, {}, now());
    return 1;
  }
  await runs.begin(run, { follow: id, round, origin });
  return 0;
}
