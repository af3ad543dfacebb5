import { deploymentPart } from '#client/deployment/deployment.ts';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import { chooseRendererObjectName } from '#browsing/rendering/port.ts';
import { BROWSER_TRIAL_PAGE_URL } from '#browsing/rendering/trial-page.ts';
import { runBrowserTrial } from '#browsing/try-browser.ts';
import type { BrowserTrialStep } from '#browsing/try-browser.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { checkDeployment, checkBrowserIsEnabled, databaseProblem } from './health-check.ts';
import type { HealthCheck, HealthProbes, ReportError, ReadinessDeps } from './health-check.ts';
import type { HealthCheckScope } from './health.tsx';
import { HEALTH_CHECK_DEADLINE_MS } from '#web/limits.ts';
import type { SearchProvider } from '#search/provider.ts';
import { logNotReady } from '#telemetry/log.ts';
import { readLastWebhook } from '#account/handoff-webhook.ts';
import type { Config } from '#core/config/config.ts';
import type { Db } from '#storage/db.ts';
import { appliedMigrations, MIGRATIONS } from '#storage/db.ts';

/** Lifetime of the value that the check writes to KV. KV accepts no shorter lifetime. */
const HEALTH_KEY_TTL_SECONDS = 60;

type GateDeps = Parameters<typeof createCachedUrlDecider>[0];

type HealthDeps = {
  origin: string;
  parts: { env: Env; config: Config; db: Db; policy: GateDeps['policy']; net: Pick<GateDeps, 'resolve'> };
  providers: readonly SearchProvider[];
  report: ReportError;
};

export async function checkHealth(look: HealthCheckScope, deps: HealthDeps): Promise<readonly HealthCheck[]> {
  const { parts, report } = deps;
  if (look === 'browser') {
    const off = checkBrowserIsEnabled(parts.config, 'BROWSER' in parts.env);
    return off === null ? checkBrowser(deps) : [{ name: 'Browser', ...off }];
  }
  return checkDeployment(probesOf(deps), look === 'paid', report);
}

function probesOf({ parts, origin, providers, report }: HealthDeps): HealthProbes {
  const { env, config, db, net } = parts;
  return {
    origin,
    config,
    database: () => databaseProblem({ applied: () => appliedMigrations(db), expected: MIGRATIONS, report }),
    store: () => roundTrip(env.OAUTH_KV),
    objects: {
      BROWSER_SESSION: async () =>
        objectNamed(env.BROWSER_SESSION, PROBE_NAME).close({
          subject: PROBE_NAME,
          session: PROBE_NAME,
          ownHosts: [],
        }),
      CLIENT: async () => partNamed(env.CLIENT, PROBE_NAME, 'recents').page(null, 1),
      DEPLOYMENT: async () => deploymentPart(env, 'signIn').identity(),
      PACE: async () => partNamed(env.PACE, PROBE_NAME, 'host').done(PROBE_NAME, 0),
      PAGE_RENDERER: async () => renderer(env).pagesUnderWay(),
      PERSON_STORE: async () => partNamed(env.PERSON_STORE, PROBE_NAME, 'history').wish(),
    },
    hasBrowser: 'BROWSER' in env,
    webhook: () => readLastWebhook(env.OAUTH_KV),
    resolve: (host) => withTimeout(HEALTH_CHECK_DEADLINE_MS, (late) => net.resolve(host, late)),
    search: providers.flatMap(partsOf).map(({ provider, together }) => ({
      name: provider.name,
      paid: provider.paid,
      together,
      ask: () =>
        withTimeout(HEALTH_CHECK_DEADLINE_MS, (signal) =>
          provider.search(
            { query: 'weather', count: 1 },
            { signal, deadlineAt: Date.now() + HEALTH_CHECK_DEADLINE_MS },
          ),
        ),
    })),
    outside,
  };
}

function partsOf(provider: SearchProvider): { provider: SearchProvider; together: boolean }[] {
  if (provider.parts === undefined) return [{ provider, together: false }];
  return provider.parts.map((part) => ({ provider: part, together: true }));
}

function browserTrial({ parts: { env, config, policy, net }, report }: HealthDeps): Promise<BrowserTrialStep[]> {
  return runBrowserTrial({
    binding: env.BROWSER,
    allowDomains: config.ALLOWLIST_DOMAINS,
    decide: createCachedUrlDecider({ policy, resolve: net.resolve }, Date.now),
    render: async () => renderer(env).probe(),
    report,
  });
}

function renderer(env: Env) {
  return objectNamed(env.PAGE_RENDERER, chooseRendererObjectName(BROWSER_TRIAL_PAGE_URL));
}

function outside(url: string, userAgent: string): Promise<Response> {
  return withTimeout(HEALTH_CHECK_DEADLINE_MS, (signal) =>
    fetch(url, { headers: { 'user-agent': userAgent }, redirect: 'manual', cache: 'no-store', signal }),
  );
}

export function readinessDeps({ db }: { db: Db }, report: (error: unknown) => void): ReadinessDeps {
  return {
    now: Date.now,
    applied: () => appliedMigrations(db),
    expected: MIGRATIONS,
    noteNotReady: logNotReady,
    report,
  };
}

/**
 * Name of the Durable Object that the check calls. No user has this name, because subjects begin with a letter and an
 * underscore.
 */
const PROBE_NAME = 'health check';

async function roundTrip(store: KVNamespace): Promise<boolean> {
  const key = `health:${crypto.randomUUID()}`;
  await store.put(key, 'written', { expirationTtl: HEALTH_KEY_TTL_SECONDS });
  const read = await store.get(key);
  await store.delete(key);
  return read === 'written';
}

async function checkBrowser(deps: HealthDeps): Promise<HealthCheck[]> {
  return (await browserTrial(deps)).map(({ name, ms, works, found }, at) => ({
    name: `${at + 1}. ${name}`,
    verdict: works ? 'ok' : 'fail',
    found: `${found} ${ms.toLocaleString('en')} ms.`,
    ...(works ? {} : { fix: FIX }),
  }));
}

const FIX =
  'Try again in a minute. If that does not help, check the limits of your plan and the status page of Cloudflare; everything but the browser works without it.';
