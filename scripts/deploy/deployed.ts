import * as z from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';
import type { Account } from './account.ts';
import { ApiError } from './cloudflare-api.ts';
import type { CloudflareApi } from './cloudflare-api.ts';

/** The new version is deployed, or may be, and something else failed: the message says what, and what to do. */
export class UnfinishedDeploy extends StopError {}

/** What a person is told of a deploy that failed. */
export function deployFailure(error: StopError): string {
  if (error instanceof UnfinishedDeploy) return error.message;
  return `This version of Periscope was not deployed. ${error.message}\nOnce that is solved, run npm run deploy again: it reuses what it has already created and continues.`;
}

const deploymentsSchema = z.object({ deployments: z.array(z.object({ id: z.string() })) });
const subdomainSchema = z.object({ enabled: z.boolean() });
const domainsSchema = z.array(z.object({ hostname: z.string() }));
const schedulesSchema = z.object({ schedules: z.array(z.object({ cron: z.string() })) });

/** What a deploy is to bring about beside the version itself. */
export type Wanted = {
  worker: string;
  /** A domain of the person's own; `null`: workers.dev. */
  domain: string | null;
  /** Where it will be, as far as that is known. */
  origin: string | null;
  crons: readonly string[];
};

/** The deployment that answers requests now; `null` when there is none. Every deploy makes a new one. */
export async function latestDeployment({ id }: Account, api: CloudflareApi, worker: string): Promise<string | null> {
  try {
    const answer = await api.get(`/accounts/${id}/workers/scripts/${worker}/deployments`);
    return deploymentsSchema.parse(answer).deployments[0]?.id ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.isNoWorker) return null;
    throw error;
  }
}

/**
 * What to tell about an upload that failed: Wrangler uploads the Worker first and sets its addresses and triggers
 * afterwards, so a failure may leave the new version running.
 * @param before the latest deployment before the upload
 */
export async function explainFailure(
  failure: StopError,
  before: string | null,
  wanted: Wanted,
  account: Account,
  api: CloudflareApi,
): Promise<StopError> {
  const now = await orUnknown(latestDeployment(account, api, wanted.worker));
  if (now === before) return failure;
  if (now === undefined) {
    return new UnfinishedDeploy(
      `${failure.message}\nCloudflare did not say whether the new version is deployed. ${AGAIN}`,
    );
  }
  const hasAddress = await orUnknown(addressIsSet(account, api, wanted));
  const hasCrons = await orUnknown(cronsAreSet(account, api, wanted));
  const parts = [
    ['the Worker', 'this version is running, with its secrets'],
    [wanted.origin ?? 'its address', state(hasAddress)],
    ['the hourly clean-up', state(hasCrons)],
  ];
  return new UnfinishedDeploy(
    [
      `This version of Periscope is deployed, but not everything around it is. ${failure.message}`,
      ...parts.map(([what, how]) => `  ${what}: ${how}`),
      AGAIN,
    ].join('\n'),
  );
}

const AGAIN = 'Run npm run deploy again: it sets what is missing and keeps what is set.';

function state(isSet: boolean | undefined): string {
  if (isSet === undefined) return 'not known, because Cloudflare did not answer';
  return isSet ? 'set' : 'NOT set';
}

async function addressIsSet({ id }: Account, api: CloudflareApi, { worker, domain }: Wanted): Promise<boolean> {
  if (domain === null) {
    return subdomainSchema.parse(await api.get(`/accounts/${id}/workers/scripts/${worker}/subdomain`)).enabled;
  }
  const domains = domainsSchema.parse(await api.get(`/accounts/${id}/workers/domains?service=${worker}`));
  return domains.some(({ hostname }) => hostname === domain);
}

async function cronsAreSet({ id }: Account, api: CloudflareApi, { worker, crons }: Wanted): Promise<boolean> {
  const { schedules } = schedulesSchema.parse(await api.get(`/accounts/${id}/workers/scripts/${worker}/schedules`));
  return crons.every((wanted) => schedules.some(({ cron }) => cron === wanted));
}

async function orUnknown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StopError) return undefined;
    throw error;
  }
}
