import * as z from 'zod';
import { decideWith } from '#browsing/gate/decide.ts';
import { rendererOf } from '#browsing/rendering/port.ts';
import { TRIAL_URL } from '#browsing/rendering/trial-page.ts';
import { tryBrowser } from '#browsing/try-browser.ts';
import type { TrialStep } from '#browsing/try-browser.ts';
import { abilitiesOf } from '#core/config.ts';
import { HEALTH_KEY_TTL_SECONDS } from '#core/limits.ts';
import { objectNamed } from '#core/objects.ts';
import { withTimeout } from '#core/flow/abort.ts';
import type { Check, Report } from '#web/health/health-check.ts';
import { checkConnecting } from '#web/health/health-connect.ts';
import type { ConnectProbes } from '#web/health/health-connect.ts';
import { checkParts } from '#web/health/health-parts.ts';
import type { PartProbes } from '#web/health/health-parts.ts';
import type { Look } from '#web/health/health.tsx';
import { HEALTH_CHECK_DEADLINE_MS } from '#web/limits.ts';
import type { ReadinessDeps } from '#web/health/readiness.ts';
import type { SearchProvider } from '#search/provider.ts';
import { logNotReady } from '#telemetry/log.ts';
import type { Parts } from './compose.ts';
import type { Abilities } from '#core/config.ts';
import { sql } from 'drizzle-orm';
import type { Db } from '#storage/db.ts';

/** What the health check looks through: the parts as requests use them, and the ways in. */
export type Looked = Pick<ConnectProbes, 'origin' | 'inside' | 'forgetClient'> & {
  parts: Parts;
  providers: readonly SearchProvider[];
  report: Report;
};

/** Asks the real things one small question each. */
export async function checkHealth(look: Look, looked: Looked): Promise<readonly Check[]> {
  const { parts, report } = looked;
  if (look === 'browser') {
    const trial = 'BROWSER' in parts.env ? () => browserTrial(looked) : null;
    return checkBrowser({ abilities: abilitiesOf(parts.config), trial });
  }
  const connecting = checkConnecting({ ...looked, outside }, report);
  return (await Promise.all([connecting, checkParts(partProbes(looked), look === 'paid', report)])).flat();
}

function partProbes({ parts, origin, providers }: Looked): PartProbes {
  const { env, config, db, net } = parts;
  return {
    origin,
    config,
    database: () => env.DB.prepare('SELECT 1').first(),
    migrations: { expected: MIGRATIONS, applied: () => appliedMigrations(db) },
    store: () => roundTrip(env.OAUTH_KV),
    objects: {
      CLIENT: async () => objectNamed(env.CLIENT, A_NAME).recents(null, 1),
      LEASE: async () => objectNamed(env.LEASE, A_NAME).finish(A_NAME, { kind: 'gone' }),
      SEARCH_LIMITER: async () => objectNamed(env.SEARCH_LIMITER, A_NAME).learn([], false),
      SIGN_IN: async () => objectNamed(env.SIGN_IN, 'deployment').identity(),
      SESSIONS: async () => objectNamed(env.SESSIONS, 'deployment').list(A_NAME),
      HISTORY: async () => objectNamed(env.HISTORY, A_NAME).wish(),
      FILES: async () => objectNamed(env.FILES, A_NAME).list(),
      BROWSER_SESSION: async () =>
        objectNamed(env.BROWSER_SESSION, A_NAME).close({
          subject: A_NAME,
          session: A_NAME,
          ownHosts: [],
        }),
      RENDERER: async () => renderer(env).pagesUnderWay(),
      BUDGET: async () => objectNamed(env.BUDGET, 'deployment').lease({}, NOTHING),
    },
    browser: 'BROWSER' in env ? () => browserLimits(env.BROWSER) : null,
    resolve: (host) => withTimeout(HEALTH_CHECK_DEADLINE_MS, (late) => net.resolve(host, late)),
    search: providers.map((provider) => ({
      name: provider.name,
      paid: provider.name === PAID_SEARCH,
      ask: () =>
        withTimeout(HEALTH_CHECK_DEADLINE_MS, (signal) =>
          provider.search(
            { query: 'weather', count: 1 },
            { signal, deadlineAt: Date.now() + HEALTH_CHECK_DEADLINE_MS },
          ),
        ),
    })),
  };
}

/** Tries the browser as sessions use it, and the renderer. */
function browserTrial({ parts: { env, config, policy, net }, report }: Looked): Promise<TrialStep[]> {
  return tryBrowser({
    binding: env.BROWSER,
    allowDomains: config.ALLOWLIST_DOMAINS,
    decide: decideWith({ policy, resolve: net.resolve }, Date.now),
    render: async () => renderer(env).probe(),
    report,
  });
}

function renderer(env: Env) {
  return objectNamed(env.RENDERER, rendererOf(TRIAL_URL));
}

/** The public address, over the network, as anybody reaches it. */
function outside(url: string, userAgent: string): Promise<Response> {
  return withTimeout(HEALTH_CHECK_DEADLINE_MS, (signal) =>
    fetch(url, { headers: { 'user-agent': userAgent }, redirect: 'manual', cache: 'no-store', signal }),
  );
}

/** What `/healthz` looks at. */
export function readinessOf({ db }: Parts, report: (error: unknown) => void): ReadinessDeps {
  return {
    now: Date.now,
    applied: () => appliedMigrations(db),
    expected: MIGRATIONS,
    noteNotReady: logNotReady,
    report,
  };
}

/** The provider that takes money for every question. */
const PAID_SEARCH = 'brave';
/** No person's name: subjects begin with a letter of their own and an underscore. */
const A_NAME = 'health check';
const NOTHING = { calls: 0, searches: 0, browser_ms: 0 };

async function roundTrip(store: KVNamespace): Promise<boolean> {
  const key = `health:${crypto.randomUUID()}`;
  await store.put(key, 'written', { expirationTtl: HEALTH_KEY_TTL_SECONDS });
  const read = await store.get(key);
  await store.delete(key);
  return read === 'written';
}

const limitsSchema = z.object({
  activeSessions: z.array(z.unknown()).optional(),
  maxConcurrentSessions: z.number().optional(),
});

async function browserLimits(browser: Env['BROWSER']): Promise<{ open: number | null; max: number | null }> {
  const answer = await browser.fetch('https://browser/v1/limits');
  const limits = limitsSchema.parse(await answer.json());
  return { open: limits.activeSessions?.length ?? null, max: limits.maxConcurrentSessions ?? null };
}

/** A step of trying the browser, as `browsing` tells it. */
type Step = { name: string; ms: number; works: boolean; found: string };

type BrowserProbe = {
  abilities: Pick<Abilities, 'browser'>;
  /** `null` when no browser is bound. */
  trial: (() => Promise<readonly Step[]>) | null;
};

/** Tries the browser step by step, each with its time. It takes some seconds of the account's browser time. */
async function checkBrowser({ abilities, trial }: BrowserProbe): Promise<Check[]> {
  if (trial === null) {
    const fix = 'Keep [browser] in wrangler.toml and deploy again.';
    return [{ name: 'Browser', verdict: 'fail', found: 'No browser is bound.', fix }];
  }
  if (!abilities.browser) {
    const fix = 'Set RENDER_ENABLED to true.';
    return [{ name: 'Browser', verdict: 'warn', found: 'RENDER_ENABLED is off, so it is not used.', fix }];
  }
  return (await trial()).map(({ name, ms, works, found }, at) => ({
    name: `${at + 1}. ${name}`,
    verdict: works ? 'ok' : 'fail',
    found: `${found} ${ms.toLocaleString('en')} ms.`,
    ...(works ? {} : { fix: FIX }),
  }));
}

const FIX =
  'Try again in a minute. If that does not help, look at the limits of your plan and at the status page of Cloudflare; everything but the browser works without it.';

/** What this version expects of its database: the files in `migrations`, in order. A test holds the two together. */
export const MIGRATIONS: readonly string[] = [
  '0000_init.sql',
  '0001_search_index.sql',
  '0002_site_facts.sql',
  '0003_search_cache.sql',
  '0004_site_facts_expiry.sql',
  '0005_search_source_of_indexed.sql',
  '0006_access_tokens.sql',
  '0007_rest_of_pages.sql',
  '0008_places_and_outlines.sql',
  '0009_search_words.sql',
  '0010_privacy_rule.sql',
  '0011_citations.sql',
  '0012_document_url.sql',
  '0013_people.sql',
];

const rows = z.array(z.object({ name: z.string() }));

/** Names of the migrations that were applied to a database, as wrangler and `npm start` record them; none for a new one. */
async function appliedMigrations(db: Db): Promise<string[]> {
  try {
    return rows.parse(await db.all(sql`SELECT name FROM d1_migrations ORDER BY id`)).map(({ name }) => name);
  } catch (error) {
    if (await hasRecord(db)) throw error;
    return [];
  }
}

async function hasRecord(db: Db): Promise<boolean> {
  const found = await db.all(sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'`);
  return found.length > 0;
}
