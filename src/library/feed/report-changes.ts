import * as z from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/limits.ts';
import { followedPageChangePath } from '#core/paths.ts';
import { unsealJson, sealJson } from '#core/secrets/sealed.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { sha256Hex } from '#core/text/text.ts';
import { formatAsChatCode, WEBHOOK_SENT, sendWebhook, recordWebhookOutcome } from '#net/webhook.ts';
import type { WebhookDeps, WebhookMessage } from '#net/webhook.ts';
import type { ListedChange, ChangeReport, PendingChange, ReportStore } from '#storage/library/changes.ts';
import { PAGES_PER_FOLLOWED_SITE_MAX } from '#library/limits.ts';
import { changeId, summarizeBlock, CHANGE_KIND_LABELS, getPageTitleOrUrl } from './change-feed.ts';

/** Maximum changes per message, because a chat shows only about 4,000 characters of a message. */
const CHANGES_PER_MESSAGE_MAX = 20;
/** Maximum changes read at a time. One check of a site finds fewer. */
const PENDING_MAX = 2 * PAGES_PER_FOLLOWED_SITE_MAX;

/** Time for which one sender has the changes of a user to itself. If it is killed, another continues after this time. */
const SENDING_MS_MAX = 15 * MINUTE_MS;

export type ReportDeps = {
  reports: ReportStore;
  /** Secret from `readSealingSecret` with which webhooks are encrypted for storage; `null` if none is configured. */
  sealing: string | null;
  net: WebhookDeps;
  now: () => number;
  isAdmitted: (subject: string, account: unknown) => Promise<boolean>;
  logOutcome: (outcome: string) => void;
};

const targetSchema = z.strictObject({ url: z.string(), secret: z.string() });
type ReportTarget = z.infer<typeof targetSchema>;

export function sealReportTarget(sealing: string, subject: string, target: ReportTarget): Promise<Uint8Array> {
  return sealJson(sealing, { what: 'webhook', owner: subject }, target);
}

/**
 * Decrypts the stored webhook.
 * @returns `null` without a sealing secret, or if the webhook was encrypted with another secret
 */
export async function unsealReportTarget(
  { sealing }: Pick<ReportDeps, 'sealing'>,
  { subject, target }: Pick<ChangeReport, 'subject' | 'target'>,
): Promise<ReportTarget | null> {
  if (sealing === null) return null;
  const opened = targetSchema.safeParse(
    await unsealJson(sealing, { what: 'webhook', owner: subject }, new Uint8Array(target)),
  );
  return opened.success ? opened.data : null;
}

/**
 * Sends the changes found by finished checks to a subject's webhook, each at least once: a check counts as reported
 * when all its messages were accepted. After a failure, the next try is made after one hour, then two, and so on up to
 * a day.
 */
export async function reportChanges(subject: string, deps: ReportDeps): Promise<void> {
  const due = await deps.reports.find(subject);
  if (due === null || due.nextAt > deps.now()) return;
  if (due.account !== null && !(await deps.isAdmitted(subject, due.account))) {
    await deps.reports.remove(subject);
    return;
  }
  if ((await deps.reports.pending(subject, 1)).length === 0) return;
  // Several checks of a user may end at the same time, and the hourly run reports as well.
  const report = await deps.reports.claim(subject, deps.now(), deps.now() + SENDING_MS_MAX);
  if (report === null) return;
  const rounds = wholeRounds(await deps.reports.pending(subject, PENDING_MAX));
  const changes = newChanges(rounds.flat());
  if (changes.length === 0) {
    await setReported(rounds, deps);
    await deps.reports.noted(report, { nextAt: deps.now() });
    return;
  }
  const target = await unsealReportTarget(deps, report);
  const outcome = target === null ? NOT_OPENED : await sendAll(changes, target, deps);
  deps.logOutcome(outcome);
  if (outcome === WEBHOOK_SENT) await setReported(rounds, deps);
  await deps.reports.noted(report, noteOf(outcome, report, deps.now()));
  // Changes of checks that ended in the meantime.
  if (outcome === WEBHOOK_SENT) await reportChanges(subject, deps);
}

async function setReported(rounds: readonly PendingChange[][], { reports }: ReportDeps): Promise<void> {
  for (const [one] of rounds) if (one !== undefined) await reports.reported(one.follow, one.round);
}

/**
 * Leaves out changes that another follow of the user found, too: of these, the one with most blocks is reported. A page
 * that changes back and forth has the same change several times.
 */
function newChanges(changes: readonly PendingChange[]): PendingChange[] {
  const times = new Map<string, number>();
  const same = Map.groupBy(
    changes.filter(({ isReported }) => !isReported),
    ({ follow, key, kind, movedTo, before, after }) => {
      const change = JSON.stringify([key, kind, movedTo, before, after]);
      const time = (times.get(`${follow} ${change}`) ?? 0) + 1;
      times.set(`${follow} ${change}`, time);
      return `${time} ${change}`;
    },
  );
  const best = [...same.values()].map((some) => some.reduce((most, one) => (one.blocks > most.blocks ? one : most)));
  return changes.filter((one) => best.includes(one));
}

const NOT_OPENED = 'sealed_with_another_secret';

/** Sends a test message. @returns one word for the failure; `null` on success */
export async function sendTestReport(target: ReportTarget, deps: Pick<ReportDeps, 'net'>): Promise<string | null> {
  const outcome = await send(
    { text: 'Periscope: this webhook works. Changes in the pages you follow are reported here.' },
    target,
    deps,
  );
  return outcome === WEBHOOK_SENT ? null : outcome;
}

function noteOf(outcome: string, { every, failures, sentAt }: ChangeReport, now: number) {
  if (outcome === WEBHOOK_SENT)
    return { outcome, failures: 0, sentAt: now, nextAt: every === 'day' ? now + DAY_MS : now };
  return {
    outcome,
    failures: failures + 1,
    sentAt,
    nextAt: now + Math.min(DAY_MS, HOUR_MS * 2 ** Math.min(failures, 8)),
  };
}

/**
 * Groups changes by the check that found them. If the list is full, its last group may be incomplete and is sent later.
 */
function wholeRounds(changes: readonly PendingChange[]): PendingChange[][] {
  const rounds = [...Map.groupBy(changes, ({ follow, round }) => `${follow} ${round}`).values()];
  return changes.length < PENDING_MAX ? rounds : rounds.slice(0, -1);
}

async function sendAll(changes: readonly ListedChange[], target: ReportTarget, deps: ReportDeps): Promise<string> {
  for (let from = 0; from < changes.length; from += CHANGES_PER_MESSAGE_MAX) {
    const part = changes.slice(from, from + CHANGES_PER_MESSAGE_MAX);
    const outcome = await send(await messageOf(part), target, deps);
    if (outcome !== WEBHOOK_SENT) return outcome;
  }
  return WEBHOOK_SENT;
}

function send(message: WebhookMessage, target: ReportTarget, { net }: Pick<ReportDeps, 'net'>): Promise<string> {
  // `ALLOWLIST_DOMAINS` limits what models read, not the user's webhook.
  const deps = { ...net, policy: { ...net.policy, allowDomains: [] } };
  return recordWebhookOutcome(() => sendWebhook(target, message, deps));
}

async function messageOf(changes: readonly ListedChange[]): Promise<WebhookMessage> {
  const shown = changes.map(shapeOf);
  const lines = changes.map((change, at) => {
    const name = formatAsChatCode(sanitizeText(getPageTitleOrUrl(change)));
    return `• ${CHANGE_KIND_LABELS[change.kind]}: ${name} ${shown[at]?.link ?? ''}`;
  });
  const count = changes.length === 1 ? 'One page' : `${changes.length} pages`;
  return {
    id: (await sha256Hex(shown.map(({ id }) => id).join('\n'))).slice(0, ID_DIGITS),
    text: [`${count} changed in what you follow:`, ...lines].join('\n'),
    changes: shown,
  };
}

const ID_DIGITS = 32;

function shapeOf(change: ListedChange) {
  const { follow, round, key, kind, url, movedTo, title, problem, library, at, blocks, first, origin } = change;
  return {
    id: changeId(change, new URL(origin).hostname),
    kind,
    url,
    ...(movedTo === null ? {} : { moved_to: movedTo }),
    ...(title === null ? {} : { title: sanitizeText(title) }),
    ...(problem === null ? {} : { why: problem }),
    library,
    at: new Date(at).toISOString(),
    blocks,
    ...(first === null ? {} : { summary: sanitizeText(summarizeBlock(first)) }),
    link: origin + followedPageChangePath(follow, round, key),
  };
}

const DUE_PER_HOUR_MAX = 200;
/** Messages sent in parallel. A Worker may have six open connections. */
const AT_ONCE = 5;

export async function sendDueReports(deps: ReportDeps): Promise<void> {
  const due = await deps.reports.due(deps.now(), DUE_PER_HOUR_MAX);
  for (let from = 0; from < due.length; from += AT_ONCE)
    await Promise.all(due.slice(from, from + AT_ONCE).map((subject) => reportChanges(subject, deps)));
}
