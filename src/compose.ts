import { deploymentPart } from '#client/deployment/deployment.ts';
import type { AuthDeps } from '#auth/server/provider.ts';
import { createLivePort } from '#browsing/live-port.ts';
import type { LivePort } from '#browsing/live-port.ts';
import { createBrowserPort, isRepeatableCall } from '#browsing/port.ts';
import type { ApprovalQuestion } from '#browsing/session/asking/approvals.ts';
import type { BrowserPort } from '#browsing/port.ts';
import { createDrawPort, createRenderPort } from '#browsing/rendering/port.ts';
import { isSharedSession } from '#browsing/session/session-name.ts';
import { createBudgets } from '#client/budgets.ts';
import { budgetLimits } from '#core/budgets.ts';
import type { CallCosts } from '#core/budgets.ts';
import type { CursorRequest } from '#client/client.ts';
import { abortable, sleep, withTimeout } from '#core/flow/abort.ts';
import { abilitiesOf } from '#core/abilities.ts';
import { mayStillSignIn } from '#auth/people/account.ts';
import { isBehindCloudflare } from '#auth/people/attempts.ts';
import { parseConfig } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { CallFact, Activity, RecordWorkStart } from '#core/activity.ts';
import { isFileAddress } from '#core/document/file-facts.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#core/limits.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { readSealingSecret } from '#core/secrets/sealed.ts';
import { withMemoryCache, writeAfterResponse } from '#core/origin-store.ts';
import { createMemoryRunner } from '#core/flow/memory.ts';
import type { MemoryShares } from '#core/flow/memory.ts';
import { LeaseClock } from '#core/flow/semaphore.ts';
import type { Permits } from '#core/flow/semaphore.ts';
import type { Principal } from '#core/principal.ts';
import { createCpuLock } from '#core/flow/turns.ts';
import { VERSION } from '#generated/about.ts';
import { checkUrl, judgeUrl } from '#net/fetch/gate.ts';
import { productionNetDeps } from '#net/fetch/network.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import type { SiteFacts } from '#storage/pages/sites.ts';
import { findPaidCursor, renewCursor } from '#reading/reader.ts';
import { createSearchProviders, createSourceProvider } from '#search/configured.ts';
import type { CloudflareSearch } from '#search/engines/cloudflare.ts';
import { AccessTokenStore, PeopleStore } from '#storage/people.ts';
import { CitationStore } from '#storage/citations.ts';
import { retryingKv, openDb, openNearDb } from '#storage/db.ts';
import { CounterStore } from '#storage/counters.ts';
import { RowEraser } from '#storage/erase-rows.ts';
import { StoredFiles } from '#storage/person/stored-files.ts';
import { DocumentStore } from '#storage/pages/documents.ts';
import { ChangeStore, ReportStore } from '#storage/library/changes.ts';
import { FollowStore } from '#storage/library/follows.ts';
import { RoundPages } from '#storage/library/round-pages.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { SnapshotPurge, DocumentEviction } from '#storage/pages/purge.ts';
import { SiteRuleStore } from '#storage/site-rules.ts';
import { SearchCache, SiteStore } from '#storage/pages/sites.ts';
import { SnapshotStore } from '#storage/pages/snapshots.ts';
import { DocumentTextCache } from '#storage/pages/text-memory.ts';
import {
  countCall,
  LOG_SECRET_WAIT_MS_MAX,
  unwrittenActivity,
  unwrittenCallCounts,
  writeInBatches,
} from '#telemetry/call-counts.ts';
import { createHangReporter } from '#telemetry/work.ts';
import { logCall, logProtocolError, logAuthRefusal, logUnexpected, logWebhook } from '#telemetry/log.ts';
import type { ToolServices } from '#tools/define-tool.ts';
import type { WaitingRequest } from '#web/page-response.ts';
import { reportChanges } from '#library/feed/report-changes.ts';
import type { ReportDeps } from '#library/feed/report-changes.ts';
import { followDeps } from '#library/follow-parts.ts';
import type { RoundPlatform } from '#library/follow-round.ts';
import { sendHandoffWebhook } from '#account/handoff-webhook.ts';

/** Maximum Markdown pages of a site whose facts an isolate caches in memory. Most sites list none. */
const MARKDOWN_PAGES_IN_MEMORY_MAX = 100;
/** Time limit for the DNS lookup of a client's metadata document, while the user waits for the consent page. */
const CLIENT_DOCUMENT_GATE_MS = 5 * SECOND_MS;

const turns: Permits = new Map();
const memory: MemoryShares = [];
const factsMemory = new Map<string, SiteFacts>();
const fewPages = ({ markdownPages }: SiteFacts) => markdownPages.length <= MARKDOWN_PAGES_IN_MEMORY_MAX;
/** Interval at which a subject's activity is written in batches. An evicted isolate loses at most one batch. */
const TELL_EVERY_MS = SECOND_MS;
const TELL_DEEDS_MAX = 100;
const texts = new DocumentTextCache();
const clock = new LeaseClock({ now: Date.now, sleep });
const logSecrets = new WeakMap<Env['DEPLOYMENT'], string>();
/**
 * The stores and services of one call. They are created for each call, so that each call reads the facts about a site
 * only once.
 */
export type CallParts = ReturnType<typeof createCallParts>;

export function createCallParts(bindings: Env, config: Config, origin: string) {
  const ownHosts = [new URL(origin).hostname];
  const env = { ...bindings, OAUTH_KV: retryingKv(bindings.OAUTH_KV) };
  const db = openDb(env.DB);
  // For writes that must not run twice, such as adding to a counter.
  const dbWithoutRetry = openDb(env.DB, false);
  const sites = new SiteStore(db);
  const people = new PeopleStore(db);
  const policy = {
    ...netPolicy(config, ownHosts, VERSION),
    fetchesNumbers: !ownHosts.some((host) => isBehindCloudflare(config, host)),
  };
  return {
    env,
    config,
    origin,
    ownHosts,
    db,
    counters: new CounterStore(dbWithoutRetry),
    documents: new DocumentStore(db, openNearDb(env.DB), texts),
    snapshots: new SnapshotStore(db, texts),
    purge: new SnapshotPurge(db, dbWithoutRetry, texts),
    eviction: new DocumentEviction(db),
    citations: new CitationStore(db),
    siteRules: new SiteRuleStore(db),
    searchCache: new SearchCache(db),
    accessTokens: new AccessTokenStore(db),
    people,
    isAdmitted: (subject: string, account: unknown) => mayStillSignIn(subject, account, config, people.admissions),
    rowEraser: new RowEraser(db, texts),
    sites,
    follows: new FollowStore(db),
    roundPages: new RoundPages(db),
    changes: new ChangeStore(db),
    reports: new ReportStore(db),
    policy,
    net: productionNetDeps(policy, sites.robots),
  };
}

export function createCallSearchProviders(parts: CallParts, subject?: string) {
  return createSearchProviders(parts.config, {
    ...sourceDeps(parts),
    index: new PageIndex(parts.db, subject),
    cloudflare: cloudflareSearchOf(parts),
  });
}

function storesOf({ documents, snapshots, citations, purge, searchCache }: CallParts) {
  return { documents, snapshots, citations, purge, searchCache };
}

function sourceDeps({ env, net, policy }: CallParts) {
  const limiter = (name: string) => partNamed(env.PACE, `search ${name}`, 'search');
  return { limiter, http: net, userAgent: policy.userAgent };
}

function cloudflareSearchOf({ env, config }: CallParts): CloudflareSearch {
  const { AI: ai } = env;
  return {
    websearch: ai === undefined ? null : (request) => ai.websearch(request),
    spend: () => partNamed(env.PACE, 'search cloudflare', 'search').takeOfDay(config.CLOUDFLARE_SEARCHES_PER_DAY),
  };
}

export function createAuthDeps(parts: CallParts, origin: string): AuthDeps {
  return {
    origin,
    config: parts.config,
    refused: logAuthRefusal,
    report: (error) => logUnexpected(crypto.randomUUID(), error),
    consentsOf: (subject) => partNamed(parts.env.CLIENT, subject, 'consents'),
    grantsOf: (subject) => partNamed(parts.env.CLIENT, subject, 'grants'),
    signIn: deploymentPart(parts.env, 'signIn'),
    tokens: parts.accessTokens,
    people: parts.people,
    askUpstream: (url, init) => fetch(url, init),
    judgeClientUrl: (url) => judgeClientUrl(url, parts),
  };
}

export function composeServices(parts: CallParts, ctx: ExecutionContext, principal: Principal) {
  const { config, env } = parts;
  const limits = budgetLimits(config);
  const requestId = crypto.randomUUID();
  const work = createHangReporter(requestId, config.LOCAL_SKIPPED);
  const known = services(parts, ctx, { subject: principal.subject, worksOn: work.on });
  return {
    principal,
    origin: parts.origin,
    requestId,
    now: Date.now,
    begin: work.begin,
    worksOnCall: work.onCall,
    services: known,
    abilities: abilitiesOf(config),
    budgets: createBudgets(objectNamed(env.CLIENT, principal.subject), limits),
    useCursor: (use: CursorRequest, costs: CallCosts) => findPaidCursor(use, { costs, limits }, known),
    record: (fact: CallFact) => ctx.waitUntil(Promise.all([log(fact, parts, principal), count(fact, parts)])),
    recordActivity: (deeds: readonly Activity[]) => ctx.waitUntil(storeActivity(deeds, parts, principal)),
    reportUnexpected: logUnexpected,
    reportProtocolError: logProtocolError,
  };
}

export function createRoundPlatform(env: Env, ctx: ExecutionContext, origin: string): RoundPlatform {
  const parts = createCallParts(env, parseConfig({ ...env }), origin);
  const { follows, isAdmitted, config } = parts;
  return {
    follows,
    isAdmitted,
    rereadMs: config.FOLLOW_REREAD_SECONDS * SECOND_MS,
    skipped: config.LOCAL_SKIPPED,
    services: (subject, worksOn) => services(parts, ctx, { subject, worksOn }),
    report: (subject) => reportChanges(subject, reportDepsOf(parts)),
  };
}

export function reportDepsOf({ reports, config, net, isAdmitted }: CallParts): ReportDeps {
  const logOutcome = (outcome: string) => logWebhook(outcome, 'change_report');
  return { reports, sealing: readSealingSecret(config), net, now: Date.now, isAdmitted, logOutcome };
}

type ForWhom = Pick<Principal, 'subject'> & { worksOn: RecordWorkStart };

function services(parts: CallParts, ctx: ExecutionContext, { subject, worksOn }: ForWhom): ToolServices {
  const { config, env, net, origin, ownHosts } = parts;
  const { documents, sites } = parts;
  const client = objectNamed(env.CLIENT, subject);
  const inTurn = createCpuLock(subject, turns, clock);
  const behind = (work: Promise<unknown>) => ctx.waitUntil(work);
  const siteFacts = writeAfterResponse(withMemoryCache(sites.facts, factsMemory, fewPages, Date.now), behind);
  const robotsStore = writeAfterResponse(net.robotsStore, behind);
  const { browser } = abilitiesOf(config);
  const renderer = {
    object: (name: string) => objectNamed(env.PAGE_RENDERER, name),
    budgets: createBudgets(client, budgetLimits(config)),
    forWhom: { person: subject, ownHosts },
    maxBytes: config.MAX_BYTES,
  };
  return {
    now: Date.now,
    waitUntil: (work) => ctx.waitUntil(work),
    worksOn,
    subject,
    origin,
    client,
    recents: partNamed(env.CLIENT, subject, 'recents'),
    cursorTtlMs: config.CURSOR_TTL_HOURS * HOUR_MS,
    cacheTtlMs: config.CACHE_TTL_SECONDS * SECOND_MS,
    mayShow: (url) => isFileAddress(url) || mayShowUrl(parts, url),
    files: new StoredFiles(partNamed(env.PERSON_STORE, subject, 'files')),
    fileBytesMax: config.MAX_BYTES,
    net: { ...net, robotsStore, person: subject },
    inTurn,
    renewHold: (shown) => ctx.waitUntil(renewCursor(shown, { client, documents }).catch(logQuietly)),
    inMemory: createMemoryRunner(subject, memory, clock, (freeBytes) => texts.giveWay(freeBytes)),
    render: browser ? createRenderPort(renderer) : null,
    draw: browser ? createDrawPort(renderer) : null,
    lease: (key) => partNamed(env.PACE, `page ${key}`, 'page'),
    ...storesOf(parts),
    siteFacts,
    unknownSite: (site) =>
      siteFacts.isInMemory?.(site) === true && robotsStore.isInMemory?.(site) === true
        ? null
        : { store: sites, origin: site },
    pageIndex: new PageIndex(parts.db, subject),
    searchProviders: createCallSearchProviders(parts, subject),
    searchSource: (source) => createSourceProvider(source, sourceDeps(parts)),
    ...followDeps(parts),
    handoffAsked: (asked) => behind(sendHandoffWebhook(subject, asked, parts).catch(logQuietly)),
    browser: browserPortOf(parts, subject, behind),
  };
}

function browserPortOf(parts: CallParts, subject: string, behind: (work: Promise<unknown>) => void): BrowserPort {
  const { config, env, origin, ownHosts } = parts;
  return createBrowserPort({
    origin,
    disabled: abilitiesOf(config).browser ? null : 'the operator has not enabled it, or there is no browser',
    subject,
    ownHosts,
    sharing: config.SHARED_SESSIONS,
    object: (key) => objectNamed(env.BROWSER_SESSION, key, isRepeatableCall),
    openSessions: () => openSessionNames(parts, subject),
    listedSessions: () => listedSessionNames(parts, subject),
    behind: (work) => behind(work.catch(logQuietly)),
    onAsked: (question) =>
      behind(sendHandoffWebhook(subject, { ...question, isQuestion: true }, parts).catch(logQuietly)),
  });
}

export function mayShowUrl({ policy }: CallParts, url: string): boolean {
  return judgeUrl(url, policy).allowed;
}

async function openSessionNames({ env }: CallParts, subject: string): Promise<string[]> {
  return (await deploymentPart(env, 'sessions').list(subject)).map(({ name }) => name);
}

export async function listedSessionNames({ env, config }: CallParts, subject: string): Promise<string[]> {
  const open = await deploymentPart(env, 'sessions').list(null);
  return open
    .filter((one) => one.subject === subject || (config.SHARED_SESSIONS && isSharedSession(one.name)))
    .map(({ name }) => name);
}

/**
 * Approval questions and requests to take over that wait for the user in open browser sessions; `null` if they could
 * not be read.
 */
export async function listWaitingRequests(
  parts: CallParts,
  subject: string,
): Promise<readonly WaitingRequest[] | null> {
  if (!abilitiesOf(parts.config).browser) return [];
  try {
    const sessions = livePortOf(parts, subject);
    const found = (await openSessionNames(parts, subject)).map(async (session) => {
      const [overview, questions] = await Promise.all([sessions.overview(session), sessions.questions(session)]);
      const { asked = null, isDriven = false } = overview ?? {};
      const takeOver = asked === null || isDriven ? [] : [{ session, reason: asked, question: null }];
      return [...questions.map(questionOf(session)), ...takeOver];
    });
    return (await Promise.all(found)).flat();
  } catch (error) {
    logQuietly(error);
    return null;
  }
}

export function livePortOf({ config, env, ownHosts }: CallParts, subject: string): LivePort {
  return createLivePort({
    subject,
    ownHosts,
    sharing: config.SHARED_SESSIONS,
    hasBrowser: abilitiesOf(config).browser,
    object: (key) => objectNamed(env.BROWSER_SESSION, key, isRepeatableCall),
  });
}

/** Checks only the address gate. `ALLOWLIST_DOMAINS` limits what models read, not clients' metadata documents. */
async function judgeClientUrl(url: string, { net, policy }: CallParts): ReturnType<AuthDeps['judgeClientUrl']> {
  const deps = { ...net, policy: { ...policy, allowDomains: [] } };
  try {
    await withTimeout(CLIENT_DOCUMENT_GATE_MS, (late) => checkUrl(url, deps, late));
    return 'allowed';
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    return error.failure.code === 'ssrf_blocked' ? 'refused' : 'unreachable';
  }
}

function questionOf(session: string) {
  return ({ id, wording: { act, host, because } }: ApprovalQuestion) => ({
    session,
    reason: `${act} on ${host}? ${because.charAt(0).toUpperCase()}${because.slice(1)}.`,
    question: id,
  });
}

function logQuietly(error: unknown): void {
  logUnexpected(crypto.randomUUID(), error);
}

async function storeActivity(
  deeds: readonly Activity[],
  { env, config }: CallParts,
  { subject }: Principal,
): Promise<void> {
  if (deeds.length === 0) return;
  const own = unwrittenActivity.get(subject) ?? { items: [], writtenBy: 0 };
  unwrittenActivity.set(subject, own);
  const write = (all: readonly Activity[]) =>
    partNamed(env.PERSON_STORE, subject, 'history').note(all, config.ACTIVITY_DAYS * DAY_MS);
  const together = { everyMs: TELL_EVERY_MS, most: TELL_DEEDS_MAX, now: Date.now, wait: sleep, write };
  await writeInBatches(deeds, own, together).catch(logQuietly);
  if (own.items.length === 0) unwrittenActivity.delete(subject);
}

async function log(fact: CallFact, { env, config }: CallParts, { subject }: Principal): Promise<void> {
  const secret = await logSecret(env).catch((error: unknown) => {
    logUnexpected(fact.requestId, error);
    return null;
  });
  await logCall(fact, { subject, secret, wholeUrls: config.LOG_URLS });
}

async function logSecret(env: Env): Promise<string> {
  const known = logSecrets.get(env.DEPLOYMENT);
  if (known !== undefined) return known;
  const asked = deploymentPart(env, 'signIn').identity();
  const { secret } = await withTimeout(LOG_SECRET_WAIT_MS_MAX, (late) => abortable(asked, late));
  logSecrets.set(env.DEPLOYMENT, secret);
  return secret;
}

/** Counts a call. A failed write must not fail the call, because the log line has the same facts. */
async function count(fact: CallFact, { counters }: CallParts): Promise<void> {
  const write = (facts: readonly CallFact[]) => counters.add(facts);
  try {
    await countCall(fact, unwrittenCallCounts, { now: Date.now, wait: sleep, write });
  } catch (error) {
    logUnexpected(fact.requestId, error);
  }
}
