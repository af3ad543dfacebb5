import { browserPort, mayRepeat } from '#browsing/port.ts';
import { renderPort } from '#browsing/rendering/port.ts';
import { budgetPort } from '#client/budget-port.ts';
import { atOnce } from '#client/calls-at-once.ts';
import { budgetLimits } from '#core/budgets.ts';
import { isOnCloudflare } from '#core/config.ts';
import type { Config } from '#core/config.ts';
import type { CallFact } from '#core/fact.ts';
import type { Principal } from '#core/principal.ts';
import type { Doors } from '#auth/provider.ts';
import { fail, PeriscopeError } from '#core/errors.ts';
import { CLIENT_DOCUMENT_GATE_MS, MARKDOWN_PAGES_IN_MEMORY_MAX } from '#core/limits.ts';
import { inMemoryFirst } from '#core/origin-store.ts';
import type { Clock, Places } from '#core/places.ts';
import { sleep } from '#core/sleep.ts';
import { turnTaker } from '#core/turns.ts';
import { extract } from '#extract/extract.ts';
import { gate, judgeUrl } from '#net/gate.ts';
import { loadPage } from '#net/load.ts';
import { liveNetDeps } from '#net/live.ts';
import { netPolicy } from '#net/policy.ts';
import type { NetPolicy } from '#net/policy.ts';
import { extractInTurn } from '#reading/extract-in-turn.ts';
import type { SiteFacts } from '#reading/markdown-twin.ts';
import { configuredProviders } from '#search/configured.ts';
import { CounterStore } from '#storage/counters.ts';
import { openDb } from '#storage/db.ts';
import type { Db } from '#storage/db.ts';
import { DocumentStore } from '#storage/documents.ts';
import { PageIndex } from '#storage/page-index.ts';
import { Purge } from '#storage/purge.ts';
import { SearchCache } from '#storage/search-cache.ts';
import { SiteRows } from '#storage/sites.ts';
import { SnapshotStore } from '#storage/snapshots.ts';
import { crowded } from '#mcp/crowded.ts';
import { countCall } from '#telemetry/call-counts.ts';
import type { Uncounted } from '#telemetry/call-counts.ts';
import { logCall, logProtocolError, logRefused, logUnexpected } from '#telemetry/log.ts';
import { redactUrl } from '#core/secret-addresses.ts';
import type { Services } from '#tools/context.ts';
import type { McpEnvironment } from '#mcp/handler.ts';
import { VERSION } from '#core/version.ts';
import { withTimeout } from '#core/with-timeout.ts';
import { objectNamed } from '#core/objects.ts';
import { HOUR_MS, SECOND_MS } from '#core/units.ts';

/** Who is using the processor in this isolate. */
const turns: Places = new Map();
/** What sites say about themselves. */
const factsMemory = new Map<string, SiteFacts>();
const fewPages = ({ markdownPages }: SiteFacts) => markdownPages.length <= MARKDOWN_PAGES_IN_MEMORY_MAX;
/** Calls that are to be counted. */
const uncounted: Uncounted = { facts: [], writtenBy: 0 };
/** The requests that are at work here, of each person. */
const requests: Places = new Map();
const clock: Clock = { now: Date.now, sleep };

/** Resolves when there is room for one more request of `who`, or says that there is none. */
export async function admitted(
  who: string,
  request: Request,
  ctx: ExecutionContext,
  answer: () => Promise<Response>,
): Promise<Response> {
  const waitUntil = (work: Promise<void>) => ctx.waitUntil(work);
  try {
    return await atOnce(who, { places: requests, clock, signal: request.signal, waitUntil }, answer);
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    const refusal = crowded(error.failure);
    logRefused(error.failure.code, refusal.status);
    return refusal;
  }
}

/** Joins the parts for one request of one caller: the only file that makes adapters. */
export function compose(
  env: Env,
  ctx: ExecutionContext,
  config: Config,
  ownHost: string,
  principal: Principal,
): Omit<McpEnvironment, 'resourceMetadataUrl'> {
  // What is counted must not be counted twice.
  const db = openDb(env.DB, false);
  return {
    principal,
    requestId: crypto.randomUUID(),
    now: Date.now,
    services: services(env, ctx, config, ownHost, principal),
    searchesWeb: config.BRAVE_API_KEY !== undefined || config.SEARXNG_URL !== undefined,
    offers: (tool) =>
      (config.RENDER_ENABLED || tool.toolset !== 'browser') &&
      (config.EVALUATE_ENABLED || tool.scope !== 'browser:evaluate'),
    budgets: budgetPort(objectNamed(env.CLIENT, principal.subject), budgetLimits(config)),
    record: (fact) => {
      logCall(fact);
      ctx.waitUntil(count(fact, db));
    },
    reportUnexpected: logUnexpected,
    reportProtocolError: logProtocolError,
  };
}

function services(env: Env, ctx: ExecutionContext, config: Config, ownHost: string, principal: Principal): Services {
  const db = openDb(env.DB);
  const policy = {
    ...netPolicy(config, [ownHost], VERSION),
    fetchesNumbers: !isOnCloudflare(config, ownHost),
  };
  const sites = new SiteRows(db);
  const net = liveNetDeps(policy, sites.robots);
  const client = objectNamed(env.CLIENT, principal.subject);
  const inTurn = turnTaker(principal.subject, turns, clock);
  return {
    now: Date.now,
    waitUntil: (work) => ctx.waitUntil(work),
    subject: principal.subject,
    cacheTtlMs: config.CACHE_TTL_SECONDS * SECOND_MS,
    checkAddress: (url) => checkAddress(url, policy),
    mayShow: (url) => judgeUrl(url, policy).allowed,
    load: (input) => loadPage(input, net),
    inTurn,
    extract: extractInTurn(extract, inTurn),
    render: config.RENDER_ENABLED
      ? renderPort({
          object: (name) => objectNamed(env.RENDERER, name),
          budgets: budgetPort(client, budgetLimits(config)),
          ownHosts: [ownHost],
          maxBytes: config.MAX_BYTES,
        })
      : null,
    lease: (key) => objectNamed(env.LEASE, key),
    documents: new DocumentStore(db),
    snapshots: new SnapshotStore(db),
    siteFacts: inMemoryFirst(sites.facts, factsMemory, fewPages, Date.now),
    searchProviders: configuredProviders(config, {
      index: new PageIndex(db, principal.subject),
      limiter: (name) => objectNamed(env.SEARCH_LIMITER, name),
      http: net,
      userAgent: policy.userAgent,
    }),
    searchCache: new SearchCache(db),
    purge: new Purge(db, openDb(env.DB, false)),
    browser: browserPort({
      disabled: config.RENDER_ENABLED ? null : 'the operator has not enabled it, or there is no browser',
      subject: principal.subject,
      ownHosts: [ownHost],
      sharing: config.SHARED_SESSIONS,
      object: (key) => objectNamed(env.BROWSER_SESSION, key, mayRepeat),
      openSessions: async () => {
        const open = await objectNamed(env.SESSIONS, 'deployment').list(principal.subject);
        return open.map(({ name }) => name);
      },
    }),
    client,
    cursorTtlMs: config.CURSOR_TTL_HOURS * HOUR_MS,
  };
}

/** The address gate for the documents in which clients describe themselves. Which sites may be read is another question. */
export function clientUrlJudge(env: Env, config: Config, ownHost: string): Doors['judgeClientUrl'] {
  return async (url) => {
    const policy = { ...netPolicy(config, [ownHost], VERSION), allowDomains: [] };
    const deps = liveNetDeps(policy, new SiteRows(openDb(env.DB)).robots);
    try {
      await withTimeout(CLIENT_DOCUMENT_GATE_MS, (late) => gate(url, deps, late));
      return 'allowed';
    } catch (error) {
      if (!(error instanceof PeriscopeError)) throw error;
      return error.failure.code === 'ssrf_blocked' ? 'refused' : 'unreachable';
    }
  };
}

function checkAddress(url: string, policy: NetPolicy): void {
  const verdict = judgeUrl(url, policy);
  if (!verdict.allowed) fail({ code: 'ssrf_blocked', url: redactUrl(url), reason: verdict.reason });
}

/** A counter that cannot be written must not fail the call it counts; the log line has the same facts. */
async function count(fact: CallFact, db: Db): Promise<void> {
  const counters = new CounterStore(db);
  const write = (facts: readonly CallFact[]) => counters.add(facts);
  try {
    await countCall(fact, uncounted, { now: Date.now, wait: (ms) => scheduler.wait(ms), write });
  } catch (error) {
    logUnexpected(fact.requestId, error);
  }
}
