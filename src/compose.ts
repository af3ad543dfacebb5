import type { AuthDeps } from '#auth/server/provider.ts';
import { livePort } from '#browsing/live-port.ts';
import type { LivePort } from '#browsing/live-port.ts';
import { browserPort, mayRepeat } from '#browsing/port.ts';
import { renderPort } from '#browsing/rendering/port.ts';
import { budgetPort } from '#client/budgets.ts';
import { budgetLimits } from '#core/budgets.ts';
import { abortable, sleep, withTimeout } from '#core/flow/abort.ts';
import { abilitiesOf, isOnCloudflare } from '#core/config.ts';
import type { Config } from '#core/config.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { CallFact, Activity } from '#core/activity.ts';
import { isFileAddress } from '#core/file-facts.ts';
import { CLIENT_DOCUMENT_GATE_MS, DAY_MS, HOUR_MS, MARKDOWN_PAGES_IN_MEMORY_MAX, SECOND_MS } from '#core/limits.ts';
import { objectNamed } from '#core/objects.ts';
import { inMemoryFirst } from '#core/origin-store.ts';
import { memoryFor } from '#core/flow/memory.ts';
import type { Memory } from '#core/flow/memory.ts';
import type { Clock, Slots } from '#core/flow/semaphore.ts';
import type { Principal } from '#core/principal.ts';
import { turnTaker } from '#core/flow/turns.ts';
import { VERSION } from '#core/version.ts';
import { gate, judgeUrl } from '#net/fetch/gate.ts';
import { liveNetDeps } from '#net/fetch/live.ts';
import { netPolicy } from '#net/fetch/policy.ts';
import type { SiteFacts } from '#reading/open/markdown-twin.ts';
import { configuredProviders } from '#search/search.ts';
import { AccessTokenRows } from '#storage/access-tokens.ts';
import { CitationStore } from '#storage/citations.ts';
import { carefulStore, openDb } from '#storage/db.ts';
import { CounterStore } from '#storage/counters.ts';
import { StoredFiles } from '#storage/person/stored-files.ts';
import { DocumentStore } from '#storage/pages/documents.ts';
import { Eviction } from '#storage/pages/eviction.ts';
import { Judged } from '#storage/pages/judged.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { PersonRows } from '#storage/people.ts';
import { Purge } from '#storage/pages/purge.ts';
import { SearchCache, SiteRows } from '#storage/pages/sites.ts';
import { SnapshotStore } from '#storage/pages/snapshots.ts';
import { LOG_SECRET_MS_MAX, countCall } from '#telemetry/call-counts.ts';
import type { Uncounted } from '#telemetry/call-counts.ts';
import { logCall, logProtocolError, logRefused, logUnexpected } from '#telemetry/log.ts';
import type { Services } from '#tools/context.ts';

/** Who is using the processor in this isolate. */
const turns: Slots = new Map();
/** What work holds of the memory of this isolate. */
const memory: Memory = [];
/** What sites say about themselves. */
const factsMemory = new Map<string, SiteFacts>();
const fewPages = ({ markdownPages }: SiteFacts) => markdownPages.length <= MARKDOWN_PAGES_IN_MEMORY_MAX;
/** Calls that are to be counted. */
const uncounted: Uncounted = { facts: [], writtenBy: 0 };
const clock: Clock = { now: Date.now, sleep };
/** The secret behind the pseudonyms of the log, by the object that keeps it. */
const logSecrets = new WeakMap<Env['SIGN_IN'], string>();
/**
 * What is made of the bindings and settings of a deployment, for one call: what a site says is read once in a call and kept
 * for its rest.
 */
export type Parts = ReturnType<typeof partsOf>;

/** @param origin the public one, under which this server is reached */
export function partsOf(bindings: Env, config: Config, origin: string) {
  const ownHosts = [new URL(origin).hostname];
  const env = { ...bindings, OAUTH_KV: carefulStore(bindings.OAUTH_KV) };
  const db = openDb(env.DB);
  // What must not happen twice.
  const onceDb = openDb(env.DB, false);
  const sites = new SiteRows(db);
  const policy = {
    ...netPolicy(config, ownHosts, VERSION),
    fetchesNumbers: !ownHosts.some((host) => isOnCloudflare(config, host)),
  };
  return {
    env,
    config,
    origin,
    ownHosts,
    db,
    counters: new CounterStore(onceDb),
    documents: new DocumentStore(db),
    snapshots: new SnapshotStore(db),
    purge: new Purge(db, onceDb),
    judged: new Judged(db),
    eviction: new Eviction(db),
    citations: new CitationStore(db),
    searchCache: new SearchCache(db),
    accessTokens: new AccessTokenRows(db),
    people: new PersonRows(db),
    sites,
    policy,
    net: liveNetDeps(policy, sites.robots),
  };
}

/** Search providers. @param subject who asks; their private pages are found, too */
export function providersOf({ db, config, env, net, policy }: Parts, subject?: string) {
  return configuredProviders(config, {
    index: new PageIndex(db, subject),
    limiter: (name) => objectNamed(env.SEARCH_LIMITER, name),
    http: net,
    userAgent: policy.userAgent,
  });
}

export function authDepsOf(parts: Parts, origin: string): AuthDeps {
  return {
    origin,
    config: parts.config,
    refused: logRefused,
    report: (error) => logUnexpected(crypto.randomUUID(), error),
    grantsOf: (subject) => objectNamed(parts.env.CLIENT, subject),
    signIn: objectNamed(parts.env.SIGN_IN, 'deployment'),
    tokens: parts.accessTokens,
    people: parts.people,
    askUpstream: (url, init) => fetch(url, init),
    judgeClientUrl: (url) => judgeClientUrl(url, parts),
  };
}

/** Joins the parts for one request of one caller. */
export function compose(parts: Parts, ctx: ExecutionContext, principal: Principal) {
  const { config, env } = parts;
  return {
    principal,
    origin: parts.origin,
    requestId: crypto.randomUUID(),
    now: Date.now,
    services: services(parts, ctx, principal),
    abilities: abilitiesOf(config),
    budgets: budgetPort(objectNamed(env.CLIENT, principal.subject), budgetLimits(config)),
    record: (fact: CallFact) => ctx.waitUntil(Promise.all([log(fact, parts, principal), count(fact, parts)])),
    remember: (deeds: readonly Activity[]) => ctx.waitUntil(remember(deeds, parts, principal)),
    reportUnexpected: logUnexpected,
    reportProtocolError: logProtocolError,
  };
}

function services(parts: Parts, ctx: ExecutionContext, { subject }: Principal): Services {
  const { config, env, net, origin, ownHosts } = parts;
  const { documents, snapshots, citations, searchCache, purge, sites } = parts;
  const client = objectNamed(env.CLIENT, subject);
  const inTurn = turnTaker(subject, turns, clock);
  const { browser } = abilitiesOf(config);
  return {
    now: Date.now,
    waitUntil: (work) => ctx.waitUntil(work),
    subject,
    origin,
    client,
    cursorTtlMs: config.CURSOR_TTL_HOURS * HOUR_MS,
    cacheTtlMs: config.CACHE_TTL_SECONDS * SECOND_MS,
    mayShow: (url) => isFileAddress(url) || mayShow(parts, url),
    files: new StoredFiles(objectNamed(env.FILES, subject)),
    fileBytesMax: config.MAX_BYTES,
    net,
    inTurn,
    inMemory: memoryFor(subject, memory, clock),
    render: browser
      ? renderPort({
          object: (name) => objectNamed(env.RENDERER, name),
          budgets: budgetPort(client, budgetLimits(config)),
          ownHosts,
          maxBytes: config.MAX_BYTES,
        })
      : null,
    lease: (key) => objectNamed(env.LEASE, key),
    documents,
    snapshots,
    citations,
    purge,
    siteFacts: inMemoryFirst(sites.facts, factsMemory, fewPages, Date.now),
    searchProviders: providersOf(parts, subject),
    searchCache,
    browser: browserPort({
      origin,
      disabled: browser ? null : 'the operator has not enabled it, or there is no browser',
      subject,
      ownHosts,
      sharing: config.SHARED_SESSIONS,
      object: (key) => objectNamed(env.BROWSER_SESSION, key, mayRepeat),
      openSessions: () => openSessionNames(parts, subject),
    }),
  };
}

/** Whether the operator's rules allow the address. */
export function mayShow({ policy }: Parts, url: string): boolean {
  return judgeUrl(url, policy).allowed;
}

/** Names of a person's sessions that have a browser now. */
export async function openSessionNames({ env }: Parts, subject: string): Promise<string[]> {
  return (await objectNamed(env.SESSIONS, 'deployment').list(subject)).map(({ name }) => name);
}

/** How the pages of one person reach their sessions. */
export function livePortOf({ config, env, ownHosts }: Parts, subject: string): LivePort {
  return livePort({
    subject,
    ownHosts,
    sharing: config.SHARED_SESSIONS,
    hasBrowser: abilitiesOf(config).browser,
    object: (key) => objectNamed(env.BROWSER_SESSION, key, mayRepeat),
  });
}

/** The address gate for the documents in which clients describe themselves. Which sites may be read is another question. */
async function judgeClientUrl(url: string, { net, policy }: Parts): ReturnType<AuthDeps['judgeClientUrl']> {
  const deps = { ...net, policy: { ...policy, allowDomains: [] } };
  try {
    await withTimeout(CLIENT_DOCUMENT_GATE_MS, (late) => gate(url, deps, late));
    return 'allowed';
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    return error.failure.code === 'ssrf_blocked' ? 'refused' : 'unreachable';
  }
}

/** What a call did is kept behind its answer. A history that cannot be written must not fail the call. */
async function remember(deeds: readonly Activity[], { env, config }: Parts, { subject }: Principal): Promise<void> {
  if (deeds.length === 0) return;
  try {
    await objectNamed(env.HISTORY, subject).note(deeds, config.ACTIVITY_DAYS * DAY_MS);
  } catch (error) {
    logUnexpected(crypto.randomUUID(), error);
  }
}

async function log(fact: CallFact, { env, config }: Parts, { subject }: Principal): Promise<void> {
  const secret = await logSecret(env.SIGN_IN).catch((error: unknown) => {
    logUnexpected(fact.requestId, error);
    return null;
  });
  await logCall(fact, { subject, secret, wholeUrls: config.LOG_URLS });
}

/** Of this deployment; an isolate asks for it once. */
async function logSecret(signIn: Env['SIGN_IN']): Promise<string> {
  const known = logSecrets.get(signIn);
  if (known !== undefined) return known;
  const asked = objectNamed(signIn, 'deployment').identity();
  const { secret } = await withTimeout(LOG_SECRET_MS_MAX, (late) => abortable(asked, late));
  logSecrets.set(signIn, secret);
  return secret;
}

/** A counter that cannot be written must not fail the call it counts; the log line has the same facts. */
async function count(fact: CallFact, { counters }: Parts): Promise<void> {
  const write = (facts: readonly CallFact[]) => counters.add(facts);
  try {
    await countCall(fact, uncounted, { now: Date.now, wait: sleep, write });
  } catch (error) {
    logUnexpected(fact.requestId, error);
  }
}
