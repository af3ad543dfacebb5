import { abilitiesOf } from '#core/abilities.ts';
import { configAdvice, isLoopbackHost } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { resolveWithin, abortable, withTimeout } from '#core/flow/abort.ts';
import { PATHS } from '#core/paths.ts';
import { ENGINE_SETTING_NAMES } from '#core/search-engines.ts';
import { HEALTH_CHECK_DEADLINE_MS, READINESS_QUERY_MS_MAX, READINESS_CACHE_TTL_MS } from '#web/limits.ts';
import { SECOND_MS } from '#core/limits.ts';

export type HealthCheck = {
  name: string;
  /** `unknown`: the server cannot check this itself, so the page says how to check it. */
  verdict: 'ok' | 'warn' | 'fail' | 'unknown';
  found: string;
  fix?: string;
  command?: string;
};

type Verdict = Omit<HealthCheck, 'name'>;

export type ReportError = (error: unknown) => string;

/**
 * Probes of the services that a deployment needs. Each throws, or returns the problem, if its service does not work.
 */
export type HealthProbes = {
  origin: string;
  config: Config;
  database: () => Promise<string | null>;
  /** True if a value that was written to KV can be read again. */
  store: () => Promise<boolean>;
  objects: Readonly<Record<string, () => Promise<unknown>>>;
  hasBrowser: boolean;
  webhook: () => Promise<{ at: number; outcome: string } | null>;
  resolve: (host: string) => Promise<readonly string[]>;
  /** Search providers in the order of use. `paid`: a query costs money. `together`: queried in parallel with others. */
  search: readonly { name: string; paid: boolean; together?: boolean; ask: () => Promise<unknown> }[];
  outside: (url: string, userAgent: string) => Promise<Response>;
};

const PLATFORM = 'Deploy again with npm run deploy; if that does not help, check the status page of Cloudflare.';
const A_HOST = 'cloudflare.com';
const HOSTS = { Claude: 'Claude-User', ChatGPT: 'openai-mcp/1.0.0' };

/**
 * Checks every service of the deployment: stores, objects, browser, network, search, settings.
 * @param asksPaid true to query also search providers that charge for it
 */
export function checkDeployment(probes: HealthProbes, asksPaid: boolean, report: ReportError): Promise<HealthCheck[]> {
  const look = (name: string, fix: string, work: () => Promise<Verdict>) => lookAt(name, fix, report, work);
  return Promise.all([
    look('Database (D1)', PLATFORM, async () => {
      const problem = await probes.database();
      return problem === null ? ok('It answers, and has all migrations.') : failed(problem, PLATFORM);
    }),
    look('Grants and tokens (KV)', PLATFORM, async () =>
      (await probes.store())
        ? ok('It can be written and read.')
        : warn('A value that was just written cannot be read yet.', 'Load this page again in a minute.'),
    ),
    ...Object.entries(probes.objects).map(([name, ask]) =>
      look(`Durable Object ${name}`, PLATFORM, async () => {
        await ask();
        return ok('It answers.');
      }),
    ),
    look('Looking up host names', '', () => lookUp(probes)),
    ...probes.search.map(({ name, paid, together = false, ask }, index) =>
      look(`Search: ${name}`, name === 'cloudflare' ? ADD_CREDITS : CHECK_SETTINGS, async () => {
        if (paid && !asksPaid) return NOT_ASKED;
        await ask();
        return together ? ok(TOGETHER) : searched(name, index, probes.search.length);
      }),
    ),
    ...Object.entries(HOSTS).map(([name, userAgent]) =>
      look(`Reaching this address as ${name}`, PLATFORM, () => reach(probes, name, userAgent)),
    ),
    ...(probes.config.HANDOFF_WEBHOOK_URL === undefined
      ? []
      : [look('Webhook for hand-offs', PLATFORM, async () => webhookVerdict(await probes.webhook()))]),
    ...settings(probes).map(async (verdict): Promise<HealthCheck> => ({ name: 'Settings', ...verdict })),
  ]);
}

/**
 * Checks one part, within a time limit. A thrown failure becomes the message of a failed check. The text of any other
 * error goes only to the log, because it may quote a page or a secret.
 * @param fix instruction for a failure without its own advice
 */
async function lookAt(
  name: string,
  fix: string,
  report: ReportError,
  work: () => Promise<Verdict>,
): Promise<HealthCheck> {
  try {
    return { name, ...((await resolveWithin(work(), HEALTH_CHECK_DEADLINE_MS)) ?? TOO_LATE) };
  } catch (error) {
    const isOurs = error instanceof PeriscopeError;
    const found = isOurs ? failureMessage(error.failure) : `It failed; the log has the error as ${report(error)}.`;
    return { name, ...failed(found, fix) };
  }
}

const ok = (found: string): Verdict => ({ verdict: 'ok', found });
const warn = (found: string, fix: string): Verdict => ({ verdict: 'warn', found, fix });
const failed = (found: string, fix: string): Verdict => ({ verdict: 'fail', found, fix });

const TOO_LATE = failed(
  `It did not answer within ${HEALTH_CHECK_DEADLINE_MS / 1000} seconds.`,
  'Load this page again; if that does not help, check the status page of Cloudflare.',
);
const NOT_ASKED: Verdict = {
  verdict: 'unknown',
  found: 'It is set up. A search with it may cost money, so only the button below makes one.',
};
const TOGETHER = 'It answers, and is asked together with the others.';
const CHECK_SETTINGS = 'Check its key or address in the settings.';
const CREDITS = 'open AI > AI Gateway in the Cloudflare dashboard, press Manage at "Credits Available", and top up';
const KEYS = Object.values(ENGINE_SETTING_NAMES).join(' or ');
const ADD_CREDITS = `If the account has no credits: ${CREDITS}. If the AI binding is missing, run npm run deploy.`;

async function lookUp({ resolve }: HealthProbes): Promise<Verdict> {
  const addresses = await resolve(A_HOST).catch(() => []);
  if (addresses.length > 0) return ok('DNS over HTTPS answers.');
  return failed(
    `DNS over HTTPS gives no address of ${A_HOST}, so no page can be opened.`,
    'On a machine of your own, check its network connection; on Cloudflare, try again later.',
  );
}

export function checkBrowserIsEnabled(config: Config, isBound: boolean): Verdict | null {
  if (!isBound) return failed('No browser is bound.', 'Keep [browser] in wrangler.toml and deploy again.');
  if (abilitiesOf(config).browser) return null;
  return warn('RENDER_ENABLED is off, so the browser is not used.', 'Set RENDER_ENABLED to true.');
}

function webhookVerdict(last: { at: number; outcome: string } | null): Verdict {
  if (last === null) return { verdict: 'unknown', found: 'It is set up. No model has waited for its person lately.' };
  const at = new Date(last.at).toISOString();
  if (last.outcome === 'sent') return ok(`The last message was sent at ${at}.`);
  return failed(
    `The last message, at ${at}, was not accepted: ${last.outcome}.`,
    'Check HANDOFF_WEBHOOK_URL. Hand-overs work without it, but nobody is notified of them.',
  );
}

function searched(name: string, place: number, count: number): Verdict {
  if (place === 0 && name !== 'local') return ok('It answers.');
  if (place > 0)
    return ok(`It answers, and is used when ${place === count - 1 ? 'the others fail' : 'those before it fail'}.`);
  return warn(
    'It answers, but covers only pages that were opened here: no web search is set up.',
    `To search the whole web, set SEARCH_PROVIDERS=keenable (no key, with npm start only), ${KEYS}. Or, on Cloudflare, without a key: ${CREDITS}, then run npm run deploy.`,
  );
}

async function reach({ origin, outside }: HealthProbes, name: string, userAgent: string): Promise<Verdict> {
  if (isLoopbackHost(new URL(origin).hostname)) {
    const found = `This address exists on this machine only: ${name} cannot reach it. Clients on this machine can.`;
    return { verdict: 'unknown', found };
  }
  const url = origin + PATHS.resourceMetadata + PATHS.mcp;
  const command = `curl -sS -o /dev/null -w '%{http_code}\\n' -A '${userAgent}' ${url}`;
  const answer = await outside(url, userAgent).catch(() => null);
  await answer?.body?.cancel();
  if (answer?.status === 200) {
    return { ...ok('It answers from inside Cloudflare. To be sure, run this elsewhere: it must print 200.'), command };
  }
  if (answer !== null && (answer.headers.has('cf-mitigated') || [401, 403, 429, 503].includes(answer.status))) {
    const refused = failed(
      `Something in front of this Worker refuses requests with the User-Agent ${userAgent}: HTTP ${answer.status}.`,
      `In the Cloudflare dashboard of your domain, under Security, let /mcp, /token, /register, /revoke and /.well-known/* through bot rules, challenges and AI-crawler blocking: ${name} cannot solve a challenge.`,
    );
    return { ...refused, command };
  }
  const found =
    'A Worker cannot always ask itself over the network, so this could not be checked from inside. Run this elsewhere: it must print 200.';
  return { verdict: 'unknown', found, command };
}

function settings({ origin, config, hasBrowser }: HealthProbes): Verdict[] {
  const { OWNER_PASSPHRASE, OIDC_ISSUER, GITHUB_CLIENT_ID } = config;
  const found = configAdvice(config).map((advice) => warn(advice, 'docs/signing-in.md says what belongs together.'));
  if (OWNER_PASSPHRASE === undefined && OIDC_ISSUER === undefined && GITHUB_CLIENT_ID === undefined) {
    const fix = 'Run npx wrangler secret put OWNER_PASSPHRASE.';
    found.push(failed('No one can sign in: no sign-in method is set up.', fix));
  }
  const noBrowser = checkBrowserIsEnabled(config, hasBrowser);
  if (noBrowser !== null) found.push(noBrowser);
  const { hostname, protocol } = new URL(origin);
  if (!isLoopbackHost(hostname)) found.push(...publicSettings(origin, protocol, config));
  return found.length === 0 ? [ok('They fit together.')] : found;
}

function publicSettings(origin: string, protocol: string, config: Config): Verdict[] {
  const found: Verdict[] = [];
  if (protocol !== 'https:')
    found.push(failed('It is not https, so hosts refuse it.', 'Serve this address over https.'));
  else if (config.PUBLIC_URL === undefined) {
    found.push(
      warn(
        'PUBLIC_URL is not set: every host name that leads here is served, each as a separate connector.',
        `Set PUBLIC_URL to ${origin}, if that is the address to use.`,
      ),
    );
  }
  const forDevelopment = [
    ...(config.LOCAL_ACCESS_TOKEN === undefined ? [] : ['LOCAL_ACCESS_TOKEN']),
    ...(config.LOCAL_SIGN_IN_KEY === undefined ? [] : ['LOCAL_SIGN_IN_KEY']),
    ...(config.ALLOWED_PRIVATE_HOSTS.length === 0 ? [] : ['ALLOWED_PRIVATE_HOSTS']),
  ];
  if (forDevelopment.length > 0) {
    const words = `${forDevelopment.join(' and ')} is for development and has no use on a public address.`;
    found.push(warn(words, 'Remove it.'));
  }
  return found;
}

/** Cache time of a problem. Short, because someone who repairs the problem checks again immediately. */
const PROBLEM_KEPT_MS = SECOND_MS;

export type ReadinessDeps = {
  now: () => number;
  applied: () => Promise<readonly string[]>;
  expected: readonly string[];
  /** Called with each new reason. Tables may be missing for a moment while a deploy creates them. */
  noteNotReady: (why: string) => void;
  report: (error: unknown) => void;
};

/**
 * The last result in an isolate. It is not stored as a promise, because a request must not await a promise of another
 * request.
 */
export type ReadinessMemory = { problem: string | null; until: number };

/**
 * Checks that the database can be reached and has the tables of this version. Anyone may call `/healthz`, so an isolate
 * queries the database only after its last result has expired.
 * @returns the problem as trusted text, or `null`
 */
export async function findReadinessProblem(memory: ReadinessMemory, deps: ReadinessDeps): Promise<string | null> {
  if (deps.now() < memory.until) return memory.problem;
  const before = memory.problem;
  memory.problem = await databaseProblem(deps);
  if (memory.problem !== null && memory.problem !== before) deps.noteNotReady(memory.problem);
  memory.until = deps.now() + (memory.problem === null ? READINESS_CACHE_TTL_MS : PROBLEM_KEPT_MS);
  return memory.problem;
}

export async function databaseProblem({
  applied,
  expected,
  report,
}: Pick<ReadinessDeps, 'applied' | 'expected' | 'report'>): Promise<string | null> {
  try {
    const names = await withTimeout(READINESS_QUERY_MS_MAX, (late) => abortable(applied(), late));
    const missing = expected.filter((name) => !names.includes(name)).length;
    return missing === 0 ? null : `The database lacks ${missing} of ${expected.length} migrations. ${MIGRATE}`;
  } catch (error) {
    report(error);
    return `The database does not answer.`;
  }
}

const MIGRATE = 'Run npm run deploy, or npx wrangler d1 migrations apply DB --remote.';
