import { abilitiesOf, configAdvice, isLoopbackHost } from '#core/config.ts';
import type { Config } from '#core/config.ts';
import { look, ok } from './health-check.ts';
import type { Check, Report, Verdict } from './health-check.ts';

/** What a deployment stands on. Each probe throws when the thing does not work. */
export type PartProbes = {
  origin: string;
  config: Config;
  database: () => Promise<unknown>;
  /** Names of migrations: those of this version, and those that the database has had. */
  migrations: { expected: readonly string[]; applied: () => Promise<readonly string[]> };
  /** Whether a value written can be read again. */
  store: () => Promise<boolean>;
  /** One question to an object of each class. */
  objects: Readonly<Record<string, () => Promise<unknown>>>;
  /** What the account may do with browsers; `null` when nothing is bound. */
  browser: (() => Promise<{ open: number | null; max: number | null }>) | null;
  /** Addresses of a host name. */
  resolve: (host: string) => Promise<readonly string[]>;
  /** In the order in which they are asked. `paid`: a question costs money. */
  search: readonly { name: string; paid: boolean; ask: () => Promise<unknown> }[];
};

const PLATFORM = 'Deploy again with npm run deploy; if that does not help, look at the status page of Cloudflare.';
const MIGRATE = 'Run npm run deploy, which applies them, or npx wrangler d1 migrations apply DB --remote.';
const A_HOST = 'cloudflare.com';

/**
 * Everything that the deployment uses: stores, objects, browser, network, search, settings.
 * @param asksPaid whether to ask search providers that charge for it
 */
export function checkParts(probes: PartProbes, asksPaid: boolean, report: Report): Promise<Check[]> {
  const { objects, search, store } = probes;
  return Promise.all([
    look('Database (D1)', PLATFORM, report, async () => {
      await probes.database();
      return ok('It answers.');
    }),
    look('Migrations', MIGRATE, report, () => migrations(probes)),
    look('Grants and tokens (KV)', PLATFORM, report, async () =>
      (await store())
        ? ok('It can be written and read.')
        : {
            verdict: 'warn',
            found: 'What was just written cannot be read yet.',
            fix: 'Load this page again in a minute.',
          },
    ),
    ...Object.entries(objects).map(([name, ask]) =>
      look(`Durable Object ${name}`, PLATFORM, report, async () => {
        await ask();
        return ok('It answers.');
      }),
    ),
    look('Browser', 'Check that your plan has Browser Rendering.', report, () => browser(probes)),
    look('Looking up host names', '', report, () => lookUp(probes)),
    ...search.map(({ name, paid, ask }, index) =>
      look(`Search: ${name}`, 'Check its key or address in the settings.', report, async () => {
        if (paid && !asksPaid) return NOT_ASKED;
        await ask();
        return searched(name, index, search.length);
      }),
    ),
    look('Public address', '', report, async () => publicAddress(probes)),
    look('Who may sign in', '', report, async () => signIn(probes)),
    look('Development settings', '', report, async () => development(probes)),
    ...configAdvice(probes.config).map((advice) =>
      look('Settings', '', report, async () => ({
        verdict: 'warn',
        found: advice,
        fix: 'docs/signing-in.md says what belongs together.',
      })),
    ),
  ]);
}

const NOT_ASKED: Verdict = {
  verdict: 'unknown',
  found: 'Its key is set. A search with it may cost money, so only the button below makes one.',
};

async function lookUp({ resolve }: PartProbes): Promise<Verdict> {
  const addresses = await resolve(A_HOST).catch(() => []);
  if (addresses.length > 0) return ok('DNS over HTTPS answers.');
  return {
    verdict: 'fail',
    found: `DNS over HTTPS gives no address of ${A_HOST}, so no page can be opened.`,
    fix: 'On a machine of your own, look at its network; on Cloudflare, try again later.',
  };
}

async function migrations({ migrations: { expected, applied } }: PartProbes): Promise<Verdict> {
  const done = new Set(await applied());
  const missing = expected.filter((name) => !done.has(name));
  if (missing.length === 0) return ok(`All ${expected.length} are applied.`);
  return { verdict: 'fail', found: `Not applied: ${missing.join(', ')}.`, fix: MIGRATE };
}

async function browser({ browser: ask, config }: PartProbes): Promise<Verdict> {
  if (ask === null) {
    return { verdict: 'fail', found: 'No browser is bound.', fix: 'Keep [browser] in wrangler.toml and deploy again.' };
  }
  const { open, max } = await ask();
  const usage = open === null || max === null ? 'It answers.' : `${open} of ${max} browsers are in use.`;
  if (abilitiesOf(config).browser) return ok(usage);
  return {
    verdict: 'warn',
    found: `${usage} RENDER_ENABLED is off, so it is not used.`,
    fix: 'Set RENDER_ENABLED to true.',
  };
}

function searched(name: string, place: number, count: number): Verdict {
  if (name !== 'local')
    return ok(place === 0 ? 'It answers.' : 'It answers, and is used when the one before it fails.');
  if (count > 1) return ok('It answers, and is used when the others fail.');
  return {
    verdict: 'warn',
    found: 'It answers, but covers only pages that were opened here: no web search is set up.',
    fix: 'Set BRAVE_API_KEY or SEARXNG_URL to search the whole web.',
  };
}

function publicAddress({ origin, config: { PUBLIC_URL } }: PartProbes): Verdict {
  const { hostname, protocol } = new URL(origin);
  if (isLoopbackHost(hostname)) return ok('A loopback address: for this machine only.');
  if (protocol !== 'https:') {
    return { verdict: 'fail', found: 'It is not https, so hosts refuse it.', fix: 'Serve this address over https.' };
  }
  if (PUBLIC_URL !== undefined) return ok('PUBLIC_URL is the address of this page.');
  return {
    verdict: 'warn',
    found: 'PUBLIC_URL is not set: every host name that leads here is served, each as a separate connector.',
    fix: `Set PUBLIC_URL to ${origin}, if that is the address to use.`,
  };
}

function signIn({ config }: PartProbes): Verdict {
  const ways = [
    ...(config.OWNER_PASSPHRASE === undefined ? [] : ['the passphrase']),
    ...(config.OIDC_ISSUER === undefined ? [] : ['an OpenID Connect provider']),
    ...(config.GITHUB_CLIENT_ID === undefined ? [] : ['GitHub']),
  ];
  if (ways.length > 0) return ok(`By ${ways.join(' or ')}.`);
  return {
    verdict: 'fail',
    found: 'Nobody: no way to sign in is set up.',
    fix: 'Run npx wrangler secret put OWNER_PASSPHRASE.',
  };
}

function development({ origin, config }: PartProbes): Verdict {
  if (isLoopbackHost(new URL(origin).hostname)) return ok('This is a machine of your own, which is what they are for.');
  const set = [
    ...(config.LOCAL_ACCESS_TOKEN === undefined ? [] : ['LOCAL_ACCESS_TOKEN']),
    ...(config.ALLOWED_PRIVATE_HOSTS.length === 0 ? [] : ['ALLOWED_PRIVATE_HOSTS']),
  ];
  if (set.length === 0) return ok('None is set.');
  return {
    verdict: 'warn',
    found: `${set.join(' and ')} is for development and has no use on a public address.`,
    fix: 'Remove it.',
  };
}
