import type { Config } from '#core/config/config.ts';
import { partNamed } from '#core/objects.ts';
import type { DueRoundsDeps } from './due-rounds.ts';
import type { FollowDeps, WorkflowRuns } from './follow.ts';
import type { ChangeStore } from '#storage/library/changes.ts';
import type { FollowBudget, FollowStore } from '#storage/library/follows.ts';
import type { RoundPages } from '#storage/library/round-pages.ts';

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
