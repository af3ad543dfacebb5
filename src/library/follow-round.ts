import { WorkflowEntrypoint } from 'cloudflare:workers';
import type { WorkflowEvent, WorkflowStep, WorkflowStepConfig } from 'cloudflare:workers';
import { withTimeout } from '#core/flow/abort.ts';
import { findFailure } from '#core/failures/failure.ts';
import type { RecordWorkStart } from '#core/activity.ts';
import { SECOND_MS, OPENED_DOCUMENT_PIN_EXTRA_MS, HOUR_MS } from '#core/limits.ts';
import { checkFollowedPage, isFullFetchRound, recordSkippedPage } from './round.ts';
import type { PageCheckResult, RoundTarget, RoundDeps } from './round.ts';
import { discoverAndAddPages, recordSkippedDiscovery } from './find-pages.ts';
import { DISCOVERY_MS_MAX } from './limits.ts';
import type { Follow, FollowStore, PageOutcome, RoundOutcomeCounts } from '#storage/library/follows.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { createHangReporter } from '#telemetry/work.ts';
import type { HangReporter } from '#telemetry/work.ts';
import type { DueRoundsDeps } from './follow-parts.ts';
import type { FollowDeps, RoundParams } from './follow.ts';
import { runWithPauses } from '#core/flow/turns.ts';
import { openPage } from '#reading/open/open-page.ts';
import { runAtHostPace } from './at-host.ts';
import { findVaryingTexts } from '#library/compare/compare.ts';
import { readWholeDocument } from './changes.ts';

/** Pages that one database query lists and one workflow step processes. */
const PAGES_PER_STEP = 100;
/** Pages that the first check of a site reads twice, to learn which texts vary with every fetch. */
const VARYING_PAGES = 3;
/**
 * Interruptions of the Worker after which a page or list is skipped in most rounds (checks of a site). The first
 * interruption may be a deploy, but a second one suggests that the page is the cause.
 */
const ENDS_MAX = 2;
/** Time limit for one page in one step, including the wait for the host's rate limit. */
const PAGE_MS_MAX = 45 * SECOND_MS;

export type RoundPlatform = Pick<DueRoundsDeps, 'isAdmitted'> & {
  follows: FollowStore;
  /** Wait before the first check reads pages again. A text that then differs probably varies with every fetch. */
  rereadMs: number;
  /** Hashes of pages that are skipped because the Worker hung in them twice (setting `LOCAL_SKIPPED`). */
  skipped: Parameters<typeof createHangReporter>[1];
  services: (subject: string, worksOn: RecordWorkStart) => FollowDeps;
  /** Sends the changes to the user's webhook. Records a failure, after which the hourly job tries again. */
  report: (subject: string) => Promise<void>;
};

/**
 * Settings of a step that catches errors itself. The platform therefore repeats it only after an interruption of the
 * Worker: by the CPU limit, by the watchdog of `npm start`, or by a deploy.
 */
const PAGE_STEP = {
  retries: { limit: ENDS_MAX, delay: '5 seconds', backoff: 'constant' },
  timeout: '2 minutes',
} as const satisfies WorkflowStepConfig;
/**
 * Maximum attempts for a page, with pauses of 20 s, 40 s and 80 s. After them, the page is left to the next check of
 * the site.
 */
const FAILURES_MAX = 4;
const AFTER_FAILURE_MS = 20 * SECOND_MS;
/** Settings of steps that use only this server's database. */
const OWN_STEP = {
  retries: { limit: 10, delay: '5 seconds', backoff: 'exponential' },
  timeout: '2 minutes',
} as const satisfies WorkflowStepConfig;
/** Maximum waits for a host that other checks also use. After them, the page is left to the next check of the site. */
const WAITS_MAX = 50;

type Page = { key: string; place: number };

/**
 * One round: a check of all pages of a followed site, run as a Cloudflare Workflow with a step for each page. Results
 * of steps are persistent, so a deploy or kill does not lose them. A repeated step finds what it wrote before.
 */
export abstract class FollowRound extends WorkflowEntrypoint<Env, RoundParams> {
  /** Dependencies of one step. @param origin this server's URL as the user accesses it */
  protected abstract platform(origin: string): RoundPlatform;

  override async run(
    { payload }: Readonly<WorkflowEvent<RoundParams>>,
    step: WorkflowStep,
  ): Promise<RoundOutcomeCounts> {
    const round = await step.do('begin', OWN_STEP, () => this.#round(payload));
    if (round === null) return {};
    const result: RoundOutcomeCounts = {};
    await this.#findPages(round, payload, step);
    let after = 0;
    for (;;) {
      const pages = await step.do(`pages after ${after}`, OWN_STEP, () => this.#pages(round, payload, after));
      const last = pages.at(-1);
      if (last === undefined) break;
      const left = await step.do(`room after ${after}`, OWN_STEP, () => this.#left(round, payload, after));
      if (left === null) return result;
      if (left > 0) {
        result.full = left;
        break;
      }
      for (const page of pages) {
        const outcome = await this.#page(page, round, payload, step);
        if (outcome === null) return result;
        result[outcome] = (result[outcome] ?? 0) + 1;
      }
      after = last.place;
    }
    if (round.round === 1) await this.#learn(payload, step);
    await step.do('end', OWN_STEP, async () => {
      const { follows, now } = this.#deps(payload, '');
      await follows.endRound(payload.follow, payload.round, result, now());
      await this.platform(payload.origin).report(round.subject);
    });
    return result;
  }

  /** The fields of a followed page or site that one check of it needs; `null` if it is no longer followed. */
  async #round({ follow, round, origin }: RoundParams): Promise<(RoundTarget & { subject: string }) | null> {
    const known = await this.#followed({ follow, round, origin });
    if (known === null) return null;
    const { id, subject, scope, prefix, contains, everyHours, varying, pagesMax } = known;
    return { id, subject, scope, prefix, contains, everyHours, varying, pagesMax, round };
  }

  /**
   * The followed page or site; `null` if it was removed, if a newer check has begun, or if its user may no longer sign
   * in. In the last case, it is removed.
   */
  async #followed({ follow, round, origin }: RoundParams): Promise<Follow | null> {
    const { follows, isAdmitted } = this.platform(origin);
    const found = await follows.withPerson(follow);
    if (found === null || found.follow.round !== round) return null;
    const { subject } = found.follow;
    if (found.account === null || (await isAdmitted(subject, found.account))) {
      return found.follow;
    }
    await follows.remove(subject, follow);
    return null;
  }

  /** Number of pages not read because the user's space is full; `null` if the site is no longer followed. */
  async #left(round: RoundTarget & { subject: string }, params: RoundParams, after: number): Promise<number | null> {
    const known = await this.#followed(params);
    if (known === null) return null;
    const { follows, roundPages, followBudget } = this.#deps(params, known.subject);
    const kept = await follows.bytesKept(known.subject);
    if (kept < followBudget.bytes.ofPerson) return 0;
    return roundPages.ahead(params.follow, isFullFetchRound(round.round), after);
  }

  async #pages(
    { round, subject }: RoundTarget & { subject: string },
    params: RoundParams,
    after: number,
  ): Promise<Page[]> {
    return this.#deps(params, subject).roundPages.next(params.follow, isFullFetchRound(round), after, PAGES_PER_STEP);
  }

  async #findPages(round: RoundTarget, params: RoundParams, step: WorkflowStep): Promise<void> {
    if (round.round === 1 || round.scope === 'page') return;
    await this.#tried('lists of the site', params, step, async (wasEnded, worksOn) => {
      const found = await this.#deps(params, '').follows.withPerson(params.follow);
      if (found === null) return null;
      const deps = this.#deps(params, found.follow.subject, worksOn);
      if (wasEnded) await recordSkippedDiscovery(found.follow, deps);
      else await withTimeout(DISCOVERY_MS_MAX * 3, (late) => discoverAndAddPages(found.follow, late, deps));
      return null;
    });
  }

  /** Checks one page. Sleeps while its host must not be contacted. @returns `null` if the site is no longer followed */
  async #page(
    { key, place }: Page,
    round: RoundTarget & { subject: string },
    params: RoundParams,
    step: WorkflowStep,
  ): Promise<PageOutcome | null> {
    for (let waits = 0; waits < WAITS_MAX; waits += 1) {
      const name = `page ${place}${waits === 0 ? '' : ` after ${waits} waits`}, read`;
      const checked = await this.#tried(name, params, step, (wasEnded, worksOn) => {
        const deps = this.#deps(params, round.subject, worksOn);
        if (wasEnded) return recordSkippedPage(round, key, deps);
        return withTimeout(PAGE_MS_MAX, (late) => checkFollowedPage(round, key, late, deps));
      });
      if (checked === null || checked === 'failed') return checked;
      if ('outcome' in checked) return checked.outcome;
      await step.sleep(`turn at the host of page ${place}, ${waits}`, checked.waitMs);
    }
    return 'failed';
  }

  /**
   * Runs a step, and repeats it after a delay if it fails.
   * @param work `wasEnded`: the Worker was interrupted so often in this step that the page must be skipped
   * @returns `failed` if every try failed; the next check of the site tries again
   */
  async #tried(
    name: string,
    params: RoundParams,
    step: WorkflowStep,
    work: (wasEnded: boolean, worksOn: RecordWorkStart) => Promise<PageCheckResult>,
  ): Promise<PageCheckResult | 'failed'> {
    for (let failures = 0; ;) {
      const label = failures === 0 ? name : `${name}, after ${failures} failures`;
      // A failure is reduced to its code, because the platform stores and logs step results, which must not quote page
      // text.
      const failed = (error: unknown) => ({ code: codeOf(error, params) });
      const once = async ({ attempt }: { attempt: number }) => {
        const watched = this.#watched(params, name);
        const end = watched.begin('round');
        return work(attempt > ENDS_MAX, watched.on)
          .then(asDone, failed)
          .finally(end);
      };
      const tried = await step.do(label, PAGE_STEP, once).catch(() => ({ code: 'ended' }));
      if ('done' in tried) return tried.done;
      failures += 1;
      if (failures === FAILURES_MAX) return 'failed';
      await step.sleep(`before ${name} is tried again, ${failures}`, AFTER_FAILURE_MS * 2 ** (failures - 1));
    }
  }

  async #learn(params: RoundParams, step: WorkflowStep): Promise<void> {
    const { rereadMs } = this.platform(params.origin);
    await step.sleep('a moment, before pages are read a second time', rereadMs);
    const { roundPages } = this.#deps(params, '');
    const pages = await step.do('pages to read twice', OWN_STEP, () =>
      roundPages.telling(params.follow, VARYING_PAGES),
    );
    for (const { key, place } of pages) {
      const learn = async ({ attempt }: { attempt: number }) => {
        if (attempt > ENDS_MAX) return 0;
        const found = await this.#deps(params, '').follows.withPerson(params.follow);
        if (found === null) return 0;
        const watched = this.#watched(params, `what varies in page ${place}`);
        const deps = this.#deps(params, found.follow.subject, watched.on);
        const end = watched.begin('round');
        return withTimeout(PAGE_MS_MAX, (late) => learnVarying(found.follow, key, late, deps)).finally(end);
      };
      await step
        .do(`what varies in page ${place}`, { ...PAGE_STEP, retries: { limit: 0, delay: 0 } }, learn)
        .catch(() => 0);
    }
  }

  #watched({ follow, round, origin }: RoundParams, step: string): HangReporter {
    return createHangReporter(`${follow}-${round}, ${step}`, this.platform(origin).skipped);
  }

  #deps({ origin }: RoundParams, subject: string, worksOn: RecordWorkStart = async () => undefined) {
    return this.platform(origin).services(subject, worksOn);
  }
}

function asDone(done: PageCheckResult): { done: PageCheckResult } {
  return { done };
}

function codeOf(error: unknown, { follow, round }: RoundParams): string {
  const failure = findFailure(error);
  if (failure === null) logUnexpected(`${follow}-${round}`, error);
  return failure?.code ?? 'internal';
}

/** Maximum varying texts that are ignored on a followed site. Ignoring more could hide real changes. */
const VARYING_TEXTS_MAX = 100;
const VARYING_TEXT_CHARS_MAX = 500;

/**
 * Fetches a page that was just stored a second time. Differences are stored as texts that vary with every fetch.
 * @returns number of known varying texts
 */
async function learnVarying(
  { id, varying }: Follow,
  key: string,
  signal: AbortSignal,
  deps: RoundDeps & { follows: FollowStore },
): Promise<number> {
  const page = await deps.roundPages.find(id, key);
  if (page === null || page.documentId === null) return varying.length;
  const { url, documentId } = page;
  const request = {
    requestedUrl: url,
    mode: 'auto',
    isRound: true,
    refresh: true,
    holdUntil: deps.now() + HOUR_MS + OPENED_DOCUMENT_PIN_EXTRA_MS,
  } as const;
  const answered = await runAtHostPace(url, signal, deps, () => openPage(request, signal, deps));
  if ('waitMs' in answered || answered.value.document.id === documentId) return varying.length;
  const [first, second] = await Promise.all([
    readWholeDocument(documentId, deps.documents),
    readWholeDocument(answered.value.document.id, deps.documents),
  ]);
  if (first === null || second === null) return varying.length;
  const texts = await deps.inTurn(signal, (pause) => runWithPauses(findVaryingTexts(first, second), pause));
  const short = texts.filter((text) => text.length <= VARYING_TEXT_CHARS_MAX);
  const all = [...new Set([...varying, ...short])].slice(0, VARYING_TEXTS_MAX);
  await deps.follows.varies(id, all);
  return all.length;
}
