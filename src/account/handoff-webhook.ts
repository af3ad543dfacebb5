import { deploymentPart } from '#client/deployment/deployment.ts';
import * as z from 'zod';
import { describeAccount } from '#auth/people/account.ts';
import type { Config } from '#core/config/config.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';
import { sha256Hex } from '#core/text/text.ts';
import { formatAsChatCode, sendWebhook, recordWebhookOutcome } from '#net/webhook.ts';
import type { WebhookDeps } from '#net/webhook.ts';
import type { PeopleStore } from '#storage/people.ts';
import { logWebhook } from '#telemetry/log.ts';
import type { HandoffRequested } from '#tools/define-tool.ts';

/** KV key of the last message's outcome, for the health check. The outcome contains no user data. */
const KEY = 'handoff-webhook';
const KEPT_MS = 30 * DAY_MS;

const lastSent = z.object({ at: z.number(), outcome: z.string() });
type LastWebhook = z.infer<typeof lastSent>;
/** Maximum messages in a burst, so that a model that asks repeatedly cannot flood a chat. */
const MESSAGES_MAX = 10;
const MESSAGES_WINDOW_MS = 10 * MINUTE_MS;
const TOO_MANY = 'too_many';

type WebhookParts = {
  config: Config;
  env: Pick<Env, 'DEPLOYMENT' | 'OAUTH_KV'>;
  net: WebhookDeps;
  people: Pick<PeopleStore, 'find'>;
};

/**
 * Notifies the owner's webhook that a model is waiting for its user. Runs after the response and never fails the call.
 */
export async function sendHandoffWebhook(subject: string, asked: HandoffRequested, parts: WebhookParts): Promise<void> {
  const { HANDOFF_WEBHOOK_URL: url, HANDOFF_WEBHOOK_SECRET: secret } = parts.config;
  if (url === undefined || secret === undefined) return;
  const limit = { key: `webhook:${await sha256Hex(subject)}`, max: MESSAGES_MAX, windowMs: MESSAGES_WINDOW_MS };
  const turn = await deploymentPart(parts.env, 'signIn').takeAttempt([limit]);
  if (!turn.granted) {
    logWebhook(TOO_MANY);
    return;
  }
  const outcome = await recordWebhookOutcome(async () => {
    const known = await parts.people.find(subject);
    const text = messageOf(describeAccount(known?.account ?? null), asked);
    const { net } = parts;
    // `ALLOWLIST_DOMAINS` limits what models read, not where the owner is notified.
    const deps = { ...net, policy: { ...net.policy, allowDomains: [] } };
    return sendWebhook({ url, secret }, { text }, deps);
  });
  logWebhook(outcome);
  const kept = JSON.stringify({ at: Date.now(), outcome } satisfies LastWebhook);
  await parts.env.OAUTH_KV.put(KEY, kept, { expirationTtl: KEPT_MS / SECOND_MS });
}

/** Message without page content: only the reason or the question, the user's name, and a link for that user alone. */
function messageOf(person: string | null, { reason, link, isQuestion }: HandoffRequested): string {
  const whose = person === null ? 'A model' : `The model of ${formatAsChatCode(person)}`;
  return `${whose} waits for its person: ${formatAsChatCode(reason)}\n${isQuestion === true ? 'Answer' : 'Take over'}: ${link}`;
}

/** @returns `null` if no message was sent in the last 30 days */
export async function readLastWebhook(store: KVNamespace): Promise<LastWebhook | null> {
  const kept = await store.get(KEY);
  return kept === null ? null : lastSent.parse(JSON.parse(kept));
}
