import type { Config } from '#core/config/config.ts';
import { partNamed } from '#core/objects.ts';
import type { FollowDeps, WorkflowRuns } from './follow.ts';
import type { ChangeStore } from '#storage/library/changes.ts';
import type { FollowBudget, FollowStore, Follow } from '#storage/library/follows.ts';
import type { RoundPages } from '#storage/library/round-pages.ts';
import { HOUR_MS, DAY_MS } from '#core/limits.ts';
import { startRound, deleteFollow } from './follow.ts';
import { ROUNDS_PER_HOUR_MAX } from './limits.ts';

/** Time for which changes are stored: 90 days. */
const CHANGES_LIFETIME_MS = 90 * DAY_MS;

export type FollowParts = {
  env: Pick<Env, 'FOLLOW' | 'PACE'>;
  config: Config;
  follows: FollowStore;
  roundPages: RoundPages;
  changes: ChangeStore;
};

export function followDeps({ env, config, follows, roundPages, changes }: FollowParts) {
  return {
    follows,
    changes,
    roundPages,
    runs: runsOf(env.FOLLOW),
    pace: (host) => partNamed(env.PACE, `host ${host}`, 'host'),
    pauseMs: config.FOLLOW_PAUSE_MS,
    followBudget: followBudgetOf(config),
  } satisfies Pick<FollowDeps, 'follows' | 'roundPages' | 'runs' | 'pace' | 'pauseMs' | 'followBudget'> & {
    changes: ChangeStore;
  };
}

function followBudgetOf(config: Config): FollowBudget {
  return {
    pages: { ofPerson: config.FOLLOW_PAGES_PER_PERSON, ofAll: config.FOLLOW_PAGES_TOTAL },
    bytes: { ofPerson: config.FOLLOW_BYTES_PER_PERSON, ofAll: config.FOLLOW_BYTES_TOTAL },
  };
}

export function dueRoundsDeps({
  env,
  config,
  follows,
  changes,
  isAdmitted,
}: FollowParts & Pick<DueRoundsDeps, 'isAdmitted'>): DueRoundsDeps {
  return {
    follows,
    changes,
    runs: runsOf(env.FOLLOW),
    now: Date.now,
    isAdmitted,
    bytesMax: config.FOLLOW_BYTES_TOTAL,
  };
}

function runsOf(workflow: Env['FOLLOW']): WorkflowRuns {
  return {
    begin: async (run, params) => {
      await workflow.create({ id: run, params }).catch((error: unknown) => {
        if (!(error instanceof Error) || !ALREADY_THERE.test(error.message)) throw error;
      });
    },
    end: async (run) => {
      // An error means that the workflow has already ended. If it has not, its next step finds that the follow was
      // removed.
      await workflow
        .get(run)
        .then((instance) => instance.terminate())
        .catch(() => undefined);
    },
    hasEnded: async (run) => {
      const instance = await workflow.get(run).catch(() => null);
      const status = await instance?.status();
      return status !== undefined && ENDED.has(status.status);
    },
  };
}

const ALREADY_THERE = /already.?exists/i;
const ENDED: ReadonlySet<string> = new Set(['complete', 'errored', 'terminated']);

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
