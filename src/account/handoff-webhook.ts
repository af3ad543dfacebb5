import { deploymentPart } from '#client/deployment/deployment.ts';
import * as z from 'zod';
import { displayNameOf } from '#auth/people/account.ts';
import type { Config } from '#core/config/config.ts';
import { failureIn } from '#core/failures/failure.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';
import { sha256Hex } from '#core/text/text.ts';
import { chatText, sendWebhook } from '#net/webhook.ts';
import type { WebhookDeps } from '#net/webhook.ts';
import type { PeopleStore } from '#storage/people.ts';
import { logWebhook } from '#telemetry/log.ts';
import type { HandoffAsked } from '#tools/define-tool.ts';

/** How the last message went: for the health check. It names nobody. */
const KEY = 'handoff-webhook';
const KEPT_MS = 30 * DAY_MS;

const lastSent = z.object({ at: z.number(), outcome: z.string() });
type LastWebhook = z.infer<typeof lastSent>;
const SENT = 'sent';
/** A model that asks again and again does not flood a chat. */
const MESSAGES_MAX = 10;
const MESSAGES_WINDOW_MS = 10 * MINUTE_MS;
const TOO_MANY = 'too_many';

type WebhookParts = {
  config: Config;
  env: Pick<Env, 'DEPLOYMENT' | 'OAUTH_KV'>;
  net: WebhookDeps;
  people: Pick<PeopleStore, 'find'>;
};

/** Tells the owner's webhook that a model waits for its person. Runs behind the call, which it never fails. */
export async function tellWebhook(subject: string, asked: HandoffAsked, parts: WebhookParts): Promise<void> {
  const { HANDOFF_WEBHOOK_URL: url, HANDOFF_WEBHOOK_SECRET: secret } = parts.config;
  if (url === undefined || secret === undefined) return;
  const limit = { key: `webhook:${await sha256Hex(subject)}`, max: MESSAGES_MAX, windowMs: MESSAGES_WINDOW_MS };
  const turn = await deploymentPart(parts.env, 'signIn').takeAttempt([limit]);
  if (!turn.granted) {
    logWebhook(TOO_MANY);
    return;
  }
  const outcome = await outcomeOf(async () => {
    const known = await parts.people.find(subject);
    const text = messageOf(displayNameOf(known?.account ?? null), asked);
    const { net } = parts;
    // Which sites models may read has nothing to do with where the owner is told.
    const deps = { ...net, policy: { ...net.policy, allowDomains: [] } };
    return sendWebhook({ url, secret, text }, deps);
  });
  logWebhook(outcome);
  const kept = JSON.stringify({ at: Date.now(), outcome } satisfies LastWebhook);
  await parts.env.OAUTH_KV.put(KEY, kept, { expirationTtl: KEPT_MS / SECOND_MS });
}

/** Nothing of the page: the model's reason, whom it waits for, and the link, which opens for that person alone. */
function messageOf(person: string | null, { reason, link }: HandoffAsked): string {
  const whose = person === null ? 'A model' : `The model of ${chatText(person)}`;
  return `${whose} waits for its person: ${chatText(reason)}\nTake over: ${link}`;
}

const OK_MIN = 200;
const OK_MAX = 299;

/** One word for the log and the health check: the address of a webhook is a secret, and its answer somebody else's text. */
async function outcomeOf(send: () => Promise<number>): Promise<string> {
  try {
    const status = await send();
    return status >= OK_MIN && status <= OK_MAX ? SENT : `http_${status}`;
  } catch (error) {
    return failureIn(error)?.code ?? 'not_reached';
  }
}

/** @returns `null` when nothing was sent lately */
export async function lastWebhook(store: KVNamespace): Promise<LastWebhook | null> {
  const kept = await store.get(KEY);
  return kept === null ? null : lastSent.parse(JSON.parse(kept));
}
