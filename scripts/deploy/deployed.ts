import * as z from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';
import type { Account } from './account.ts';
import { ApiError } from './cloudflare-api.ts';
import type { CloudflareApi } from './cloudflare-api.ts';

/** The new version is or may be deployed, and something else failed. The message says what failed and what to do. */
export class UnfinishedDeploy extends StopError {}

/** The message to the user about a failed deploy. */
export function deployFailure(error: StopError): string {
  if (error instanceof UnfinishedDeploy) return error.message;
  return `This version of Periscope was not deployed. ${error.message}\nOnce that is solved, run npm run deploy again: it reuses what it has already created and continues.`;
}

const deploymentsSchema = z.object({ deployments: z.array(z.object({ id: z.string() })) });
const subdomainSchema = z.object({ enabled: z.boolean() });
const domainsSchema = z.array(z.object({ hostname: z.string() }));
const schedulesSchema = z.object({ schedules: z.array(z.object({ cron: z.string() })) });

/** The results that a deploy should have besides the version itself. */
export type Wanted = {
  worker: string;
  /** The user's own domain; `null` stands for workers.dev. */
  domain: string | null;
  /** The address, if it is known yet. */
  origin: string | null;
  crons: readonly string[];
};

/** The deployment that answers requests now; `null` if there is none. Every deploy creates a new one. */
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
 * Explains a failed upload. Wrangler first uploads the Worker and then sets its addresses and triggers, so the new
 * version may be running after a failure.
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
