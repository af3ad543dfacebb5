import * as z from 'zod';
import { OPEN_SESSIONS_MAX } from '#core/limits.ts';
import { ENGINE_SETTING_NAMES, KEYLESS_ENGINES } from '#core/search-engines.ts';
import {
  enginesSetting,
  ENGINES_ALLOWED,
  booleanSetting,
  commaSeparated,
  HOST_NAME,
  HOST_PORT,
  httpUrlSetting,
  listSetting,
  patternSetting,
  secretPatternSetting,
  secretSetting,
  textSetting,
  wholeNumberSetting,
} from './setting-types.ts';

/** Default calls per minute: 200 a second, about the capacity of one isolate. Stops a loop, but not parallel agents. */
const CALLS_PER_MINUTE_DEFAULT = 12_000;
/** Default calls per day: one every half second. At the price of Workers, they cost a few dollars. */
const CALLS_PER_DAY_DEFAULT = 200_000;
/** Default searches per day. A day of research takes a few hundred. At Brave's price, 5,000 cost 25 dollars. */
const SEARCHES_PER_DAY_DEFAULT = 5_000;
/** Default browser minutes per day: two browsers all day, which cost 4.32 dollars at Cloudflare's $0.09 an hour. */
const BROWSER_MINUTES_PER_DAY_DEFAULT = 2_880;
/** Default calls per day of all users together: five users at their limits. */
const TOTAL_CALLS_PER_DAY_DEFAULT = 1_000_000;
const TOTAL_SEARCHES_PER_DAY_DEFAULT = 25_000;
const TOTAL_BROWSER_MINUTES_PER_DAY_DEFAULT = 14_400;
/** Default Cloudflare searches per day: a quarter of a dollar at the default provider's $0.25 per thousand. */
const CLOUDFLARE_SEARCHES_PER_DAY_DEFAULT = 1_000;
/** Default followed pages of a user: 25 sites of 200 pages. Reading them once a day costs some cents a month. */
const FOLLOW_PAGES_PER_PERSON_DEFAULT = 5_000;
/** Default followed pages of all users together: ten users at their limits. */
const FOLLOW_PAGES_TOTAL_DEFAULT = 50_000;
/** Default bytes of one user's followed pages: 5,000 pages of 20 KB. For all users: half of `CACHE_MAX_BYTES`. */
const FOLLOW_BYTES_PER_PERSON_DEFAULT = 100_000_000;
const FOLLOW_BYTES_TOTAL_DEFAULT = 250_000_000;
/** Default pause between requests: one request per second, as sites expect of a polite crawler. */
const FOLLOW_PAUSE_MS_DEFAULT = 1_000;
/**
 * Default wait before pages are read again, to find text that always changes. Counters and dates change within a
 * minute.
 */
const FOLLOW_REREAD_SECONDS_DEFAULT = 60;

/**
 * Every setting with its name, default and permitted range. Values arrive as strings (vars, secrets, `.dev.vars`); an
 * empty string counts as not set. Descriptions and the `allowed` text appear in `docs/configuration.md`.
 */

const schema = z.object({
  PUBLIC_URL: httpUrlSetting('https://periscope.example.com')
    .refine((value) => value === undefined || isSafeOrigin(new URL(value)), 'must be https, except on a loopback host')
    .transform((value) => (value === undefined ? undefined : new URL(value).origin))
    .meta({
      description:
        'The public address of this deployment, such as a domain of your own. When it is set, requests for other host names are refused.',
      allowed: 'an https URL such as https://periscope.example.com; http on a loopback host',
    }),
  USER_AGENT: patternSetting(/^[\x20-\x7e]{1,200}$/, '1 to 200 printable ASCII characters').describe(
    'The User-Agent of requests to web sites; by default product, version and PUBLIC_URL. Its product name is the one that robots.txt rules are matched with.',
  ),
  MAX_BYTES: wholeNumberSetting(5_000_000, 10_000, 20_000_000).describe(
    'The largest body of one page, in bytes after decompression. Above 6,000,000, a page may need more memory than an isolate has.',
  ),
  TIMEOUT_MS: wholeNumberSetting(20_000, 1_000, 40_000).describe(
    'Time limit for fetching one page, in milliseconds, including redirects and retries.',
  ),
  RESPECT_ROBOTS: booleanSetting(true).describe(
    'Obey the robots.txt of each site when the server fetches or renders a page. Browser sessions do not read it.',
  ),
  RESPECT_CONTENT_SIGNALS: booleanSetting(true).describe(
    'Obey the Content-Signal of each site. When this is off, a note in the result says what the site asks for.',
  ),
  RENDER_ENABLED: booleanSetting(false).describe(
    'Use a browser, to render pages and for browser sessions. The shipped wrangler.toml sets it to true.',
  ),
  EVALUATE_ENABLED: booleanSetting(false).describe(
    'Allow browser_evaluate to run scripts in pages. The shipped wrangler.toml sets it to true.',
  ),
  ALLOWLIST_DOMAINS: listSetting(HOST_NAME, 'example.com,docs.example.org').describe(
    'When set, only these domains and their subdomains can be opened.',
  ),
  DENYLIST_DOMAINS: listSetting(HOST_NAME, 'example.com,docs.example.org').describe(
    'These domains and their subdomains cannot be opened, whatever the allow list says.',
  ),
  ALLOWED_PRIVATE_HOSTS: listSetting(HOST_PORT, '127.0.0.1:8080,localhost:3000').describe(
    'For development: private hosts that may be opened, each with its port. Refused when PUBLIC_URL is a public address.',
  ),
  SHARED_SESSIONS: booleanSetting(false).describe(
    'Let everybody who may sign in use browser sessions that were started as shared. The shipped wrangler.toml sets it to true.',
  ),
  CACHE_TTL_SECONDS: wholeNumberSetting(3_600, 0, 2_592_000).describe(
    'Age up to which a stored page is shown without asking its site again, in seconds.',
  ),
  CACHE_MAX_BYTES: wholeNumberSetting(500_000_000, 1_000_000, 6_000_000_000).describe(
    'Limit of the text in the page store, in bytes.',
  ),
  CURSOR_TTL_HOURS: wholeNumberSetting(24, 1, 720).describe('Lifetime of a cursor after its last use, in hours.'),
  SESSION_IDLE_MINUTES: wholeNumberSetting(10, 1, 1_440).describe(
    'Idle minutes after which a browser session is saved and its browser closed. The next call restores it, without text typed into forms. npm start sets 30.',
  ),
  FILE_BYTES_MAX: wholeNumberSetting(25_000_000, 10_000, 100_000_000).describe(
    'Limit of one downloaded file, in bytes.',
  ),
  FILES_BYTES_MAX: wholeNumberSetting(100_000_000, 10_000, 1_000_000_000).describe(
    'Limit of all files of one person together, in bytes.',
  ),
  LOG_URLS: booleanSetting(false).describe(
    'Log the whole address of each page, without secrets, instead of its origin and a keyed hash.',
  ),
  ACTIVITY_DAYS: wholeNumberSetting(30, 0, 365).describe(
    'Days for which the activity page of the console keeps what models did; 0 keeps nothing.',
  ),
  STEP_PICTURES: booleanSetting(true).describe(
    'Store a small picture of the page after each step of a browser session, for its person. Each person can switch it off, too.',
  ),
  MAX_SESSIONS_PER_CLIENT: wholeNumberSetting(10, 1, 100).describe('Browser sessions one person may have open.'),
  MAX_SESSIONS: wholeNumberSetting(30, 1, OPEN_SESSIONS_MAX).describe(
    'Browser sessions the whole deployment may have open.',
  ),
  BUDGET_CALLS_PER_MINUTE: wholeNumberSetting(CALLS_PER_MINUTE_DEFAULT, 1, 1_000_000).describe(
    'Calls that one person may make in any minute.',
  ),
  BUDGET_CALLS_PER_DAY: wholeNumberSetting(CALLS_PER_DAY_DEFAULT, 1, 100_000_000).describe(
    'Calls that one person may make in any 24 hours.',
  ),
  BUDGET_SEARCHES_PER_DAY: wholeNumberSetting(SEARCHES_PER_DAY_DEFAULT, 1, 10_000_000).describe(
    'Searches that one person may make in any 24 hours.',
  ),
  BUDGET_BROWSER_MINUTES_PER_DAY: wholeNumberSetting(BROWSER_MINUTES_PER_DAY_DEFAULT, 1, 1_000_000).describe(
    'Browser time that one person may use in any 24 hours, in minutes.',
  ),
  BUDGET_TOTAL_CALLS_PER_DAY: wholeNumberSetting(TOTAL_CALLS_PER_DAY_DEFAULT, 1, 1_000_000_000).describe(
    'Calls that all users together may make in any 24 hours.',
  ),
  BUDGET_TOTAL_SEARCHES_PER_DAY: wholeNumberSetting(TOTAL_SEARCHES_PER_DAY_DEFAULT, 1, 100_000_000).describe(
    'Searches that all users together may make in any 24 hours.',
  ),
  BUDGET_TOTAL_BROWSER_MINUTES_PER_DAY: wholeNumberSetting(
    TOTAL_BROWSER_MINUTES_PER_DAY_DEFAULT,
    1,
    10_000_000,
  ).describe('Browser time that all users together may use in any 24 hours, in minutes.'),
  FOLLOW_PAGES_PER_PERSON: wholeNumberSetting(FOLLOW_PAGES_PER_PERSON_DEFAULT, 0, 100_000).describe(
    'Pages that one person may follow. A site counts with its max_pages.',
  ),
  FOLLOW_PAGES_TOTAL: wholeNumberSetting(FOLLOW_PAGES_TOTAL_DEFAULT, 0, 1_000_000).describe(
    'Pages that all users together may follow.',
  ),
  FOLLOW_BYTES_PER_PERSON: wholeNumberSetting(FOLLOW_BYTES_PER_PERSON_DEFAULT, 0, 6_000_000_000).describe(
    'Limit of the text stored for the followed pages of one person, in bytes: the pages, and their changes of the last 90 days.',
  ),
  FOLLOW_BYTES_TOTAL: wholeNumberSetting(FOLLOW_BYTES_TOTAL_DEFAULT, 0, 6_000_000_000).describe(
    'Limit of the text stored for the followed pages of all users, in bytes. Keep it below CACHE_MAX_BYTES: this text is never dropped to make room.',
  ),
  FOLLOW_PAUSE_MS: wholeNumberSetting(FOLLOW_PAUSE_MS_DEFAULT, 0, 60_000).describe(
    'Pause between two requests to a host for followed pages, in milliseconds. A longer Crawl-delay of its robots.txt counts instead.',
  ),
  FOLLOW_REREAD_SECONDS: wholeNumberSetting(FOLLOW_REREAD_SECONDS_DEFAULT, 0, 3_600).describe(
    'Seconds after the first reading of a followed site at which up to three of its pages are read again, to learn which text differs with every request.',
  ),
  BRAVE_API_KEY: secretSetting.describe('Key of the Brave Search API.'),
  EXA_API_KEY: secretSetting.describe('Key of the Exa API.'),
  TAVILY_API_KEY: secretSetting.describe('Key of the Tavily API.'),
  SEARXNG_URL: httpUrlSetting('https://searx.example.com').describe('A SearXNG instance with JSON output.'),
  SEARCH_PROVIDERS: enginesSetting.meta({
    description:
      'Search providers to ask at once; their results are merged. docs/search.md describes them and the default. local alone switches web search off.',
    allowed: ENGINES_ALLOWED,
  }),
  CLOUDFLARE_SEARCHES_PER_DAY: wholeNumberSetting(CLOUDFLARE_SEARCHES_PER_DAY_DEFAULT, 0, 10_000_000).describe(
    'Searches that the whole deployment may send to the Web Search API of Cloudflare in any 24 hours, which its owner pays with AI Gateway credits.',
  ),
  OWNER_PASSPHRASE: z
    .string()
    .regex(/^.{12,1000}$/, 'must have 12 to 1000 characters')
    .optional()
    .meta({
      description: 'The passphrase the owner signs in with.',
      allowed: '12 to 1000 characters',
      secret: true,
    }),
  SIGN_IN_KEY: secretPatternSetting(/^[\w-]{32,200}$/, '32 to 200 letters, digits, - and _').describe(
    'Makes the owner a sign-in page of their own, /sign-in?key=SIGN_IN_KEY. It stays open while wrong guesses block the other one. The key alone signs nobody in.',
  ),
  LIVE_CHECK_KEY: secretPatternSetting(/^[\w-]{32,200}$/, '32 to 200 letters, digits, - and _').describe(
    'Lets npm run deploy test the browser of the new deployment, and nothing else. It sets a new key each time.',
  ),
  TRUST_CONNECTING_IP: booleanSetting(true).describe(
    'Trust the header CF-Connecting-IP, which names the caller. Cloudflare sets it; npm start turns this off, because any program on the machine could send it.',
  ),
  SESSION_SECRET: z
    .string()
    .regex(/^.{32,1000}$/, 'must have 32 to 1000 characters')
    .optional()
    .meta({
      description:
        'Encrypts parked browser sessions, secrets and backups, and is part of the key that signs sign-ins. Without it, OWNER_PASSPHRASE encrypts sessions and secrets; without both, a session ends with its browser.',
      allowed: '32 to 1000 characters',
      secret: true,
    }),
  OIDC_ISSUER: httpUrlSetting('https://login.example.com')
    .refine((value) => value === undefined || isSafeOrigin(new URL(value)), 'must be https, except on a loopback host')
    .refine((value) => value === undefined || !/[?#]/.test(value), 'must have no query and no fragment')
    .meta({
      description:
        'The OpenID Connect provider people sign in with: its issuer, spelled exactly as in its metadata, including a slash at the end.',
      allowed: 'an https URL such as https://login.example.com; http on a loopback host',
    }),
  OIDC_CLIENT_ID: textSetting.describe('The client id of this deployment at that provider.'),
  OIDC_CLIENT_SECRET: secretSetting.describe('The client secret of this deployment at that provider.'),
  GITHUB_CLIENT_ID: textSetting.describe('The client id of the GitHub OAuth app people sign in with.'),
  GITHUB_CLIENT_SECRET: secretSetting.describe('The client secret of that GitHub OAuth app.'),
  ALLOWED_USERS: commaSeparated.meta({
    description:
      'Who may sign in through the OpenID Connect provider or GitHub, separated by commas, beside those whom the owner invites. The first one named owns the deployment.',
    allowed: 'e-mail addresses, @example.com for all of a domain, GitHub logins or ids, oidc:SUB, github:LOGIN',
  }),
  HANDOFF_WEBHOOK_URL: httpUrlSetting('https://hooks.slack.com/services/…').meta({
    description:
      'URL to notify when a model waits for its person: an incoming webhook of Slack, or any URL that accepts JSON with a text (docs/live-view.md).',
    secret: true,
  }),
  HANDOFF_WEBHOOK_SECRET: secretSetting.describe('Key that signs these messages, as docs/live-view.md describes.'),
  ACCESS_TOKEN_TTL_SECONDS: wholeNumberSetting(86_400, 60, 2_592_000).describe(
    'Lifetime of the access token of a connected client, in seconds. The client then refreshes it, which some clients cannot do in the middle of a conversation.',
  ),
  REFRESH_GRACE_SECONDS: wholeNumberSetting(600, 0, 86_400).describe(
    'Seconds for which a replaced refresh token still gets the same new tokens, so that windows that share one connection do not sign each other out.',
  ),
  ALLOWED_ORIGINS: listSetting(
    /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$|^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/i,
    'https://inspector.example.com',
  ).describe(
    'More web origins whose pages may call this server from a browser, such as a hosted Inspector. Its own and those of Claude and ChatGPT are always allowed.',
  ),
  LOCAL_ACCESS_TOKEN: secretPatternSetting(
    /^[\x21-\x7e]{16,200}$/,
    '16 to 200 printable characters without spaces',
  ).describe('A bearer token for clients on the same machine. It works on a loopback host only.'),
  LOCAL_SIGN_IN_KEY: secretPatternSetting(/^[\w-]{32,200}$/, '32 to 200 letters, digits, - and _').describe(
    'Signs the owner in once, at /sign-in?once=LOCAL_SIGN_IN_KEY on a loopback host. npm start makes a new one each time.',
  ),
  LOCAL_SKIPPED: z
    .string()
    .regex(/^(?:none|[0-9a-f]{64}(?:,[0-9a-f]{64})*)$/, 'must be none, or SHA-256 hashes with commas between them')
    .transform((value): ReadonlySet<string> => new Set(value === 'none' ? [] : value.split(',')))
    .optional()
    .meta({
      description:
        'Pages to skip because the Worker hung twice while it read them, as hashes of their addresses. npm start sets it. Each call then logs what it works on.',
      allowed: 'none, or SHA-256 hashes with commas between them',
    }),
});

export type Config = z.output<typeof schema> & {
  /** True if the Worker has a binding for Cloudflare's Web Search API. `npm run deploy` adds it where possible. */
  hasCloudflareSearch: boolean;
};

export const CONFIG_NAMES: readonly string[] = Object.keys(schema.shape);

export type ConfigSetting = {
  name: string;
  meaning: string;
  allowed: string;
  fallback: string | null;
  secret: boolean;
};

const settingMeta = z.object({
  description: z.string(),
  allowed: z.string(),
  fallback: z.string().optional(),
  secret: z.boolean().default(false),
});

/** All settings in the order of the schema. @throws if a setting has no description */
export function describeConfig(): ConfigSetting[] {
  return Object.entries(schema.shape).map(([name, setting]) => {
    const { description, allowed, fallback, secret: isSecret } = settingMeta.parse(setting.meta());
    return { name, meaning: description, allowed, fallback: fallback ?? null, secret: isSecret };
  });
}

export class ConfigError extends Error {
  override name = 'ConfigError';
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True if people may type passphrases at this origin: https, or a loopback host. */
function isSafeOrigin(url: URL): boolean {
  return url.protocol === 'https:' || isLoopbackHost(url.hostname);
}

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Parses the settings. @throws {ConfigError} naming a wrong setting and its permitted values, but no secret value */
export function parseConfig(env: Readonly<Record<string, unknown>>): Config {
  const given = Object.fromEntries(
    CONFIG_NAMES.flatMap((name) => {
      const value = env[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(`Configuration: ${problems.join('; ')}.`);
  }
  const config = { ...parsed.data, hasCloudflareSearch: typeof env['AI'] === 'object' && env['AI'] !== null };
  const isPublic = config.PUBLIC_URL !== undefined && !isLoopbackHost(new URL(config.PUBLIC_URL).hostname);
  if (isPublic && config.ALLOWED_PRIVATE_HOSTS.length > 0) {
    throw new ConfigError(
      'Configuration: ALLOWED_PRIVATE_HOSTS is for development only and must be empty when PUBLIC_URL is a public address.',
    );
  }
  requireEngines(config, isPublic);
  requireTogether(config, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']);
  requireTogether(config, ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']);
  requireTogether(config, ['HANDOFF_WEBHOOK_URL', 'HANDOFF_WEBHOOK_SECRET']);
  return config;
}

function requireTogether(config: Config, names: readonly (keyof Config)[]): void {
  const missing = names.filter((name) => config[name] === undefined);
  if (missing.length === 0 || missing.length === names.length) return;
  throw new ConfigError(`Configuration: ${names.join(', ')} belong together; ${missing.join(', ')} must be set too.`);
}

function requireEngines(config: Config, isPublic: boolean): void {
  for (const [engine, name] of Object.entries(ENGINE_SETTING_NAMES)) {
    const isNamed = config.SEARCH_PROVIDERS.some((chosen) => chosen === engine);
    if (!isNamed || config[name] !== undefined) continue;
    throw new ConfigError(`Configuration: SEARCH_PROVIDERS names ${engine}, so ${name} must be set too.`);
  }
  const shared = config.SEARCH_PROVIDERS.filter((engine) => KEYLESS_ENGINES.includes(engine));
  if (!isPublic || shared.length === 0) return;
  throw new ConfigError(
    `Configuration: SEARCH_PROVIDERS names ${shared.join(' and ')}, for npm start only: without a key, the searches of one network address are counted together, and those of Cloudflare are shared with strangers.`,
  );
}

/** Warnings about valid settings that are probably mistakes, shown at startup and by deployment checks. */
export function configAdvice(config: Config): string[] {
  const hasUpstream = config.OIDC_ISSUER !== undefined || config.GITHUB_CLIENT_ID !== undefined;
  if (hasUpstream && config.ALLOWED_USERS.length === 0) {
    return [
      'ALLOWED_USERS is empty, so only people who are invited can sign in through the OpenID Connect provider or GitHub.',
    ];
  }
  if (!hasUpstream && config.ALLOWED_USERS.length > 0) {
    return ['ALLOWED_USERS is set, but those users have no way to sign in: set OIDC_ISSUER or GITHUB_CLIENT_ID, too.'];
  }
  return [];
}
