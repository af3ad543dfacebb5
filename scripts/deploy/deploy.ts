import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_SETTING_NAMES } from '#core/search-engines.ts';
import { askWebSearch } from '#scripts/local/ask-web-search.ts';
import type { Ask } from '#scripts/local/ask-web-search.ts';
import { makePassphrase, makeSecret } from '#scripts/local/settings.ts';
import { StopError } from '#scripts/local/stop-error.ts';
import { readWorkerConfig } from '#scripts/local/worker-config.ts';
import { keepSeal, KEPT_SEAL } from './kept-seal.ts';
import { bind, chooseAccount, DATABASE_NAME, requireSubdomain, secretsSet, STORE_NAME } from './account.ts';
import { cloudflareApi } from './cloudflare-api.ts';
import { checkBrowser } from './check-browser.ts';
import { checkLive } from './check-live.ts';
import { boundIn, deployConfig, domainIn } from './config-file.ts';
import { explainFailure, latestDeployment, UnfinishedDeploy } from './deployed.ts';
import { readDeploySettings } from './settings.ts';
import { wayBack } from './way-back.ts';
import type { DeploySettings } from './settings.ts';
import { deployArgs, requirePaidPlan, upload } from './upload.ts';
import { wranglerFor } from './wrangler.ts';
import type { StartWrangler } from './wrangler.ts';
import { webSearchOf } from './web-search.ts';

export type DeployOptions = {
  project: string;
  /** The user's own domain on Cloudflare, without `https://`. */
  domain: string | null;
  /** Location of the database, as `wrangler d1 create --location` accepts it; `null` leaves it to Cloudflare. */
  location: string | null;
  dryRun: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  /** Longest wait for the first answer of the address. */
  waitMs?: number;
  /** Pause between two requests to an address that does not answer yet. */
  pauseMs?: number;
  /** Sends the requests that check the new address. */
  ask?: typeof fetch;
  startWrangler?: StartWrangler;
  /** Asks the user at the terminal; `null` if there is none. */
  askPerson?: Ask | null;
};

const CONFIG = 'wrangler.deploy.toml';
const PASSPHRASE = 'OWNER_PASSPHRASE';
/** Must stay the same across deploys. It also opens backups. */
const SEAL = 'SESSION_SECRET';
/** A new value for each deploy, known only to its own check. */
const CHECK = 'LIVE_CHECK_KEY';
/** The secrets of the other ways to sign in. A secret that is already set is known only by name. */
const OTHER_WAYS_IN = ['OIDC_CLIENT_SECRET', 'GITHUB_CLIENT_SECRET'];

/**
 * Deploys to an account. It can be run again: it finds the existing resources and does not create them again.
 * @throws {UnfinishedDeploy} if this version is or may be deployed, and something else failed
 * @throws {StopError} if this version is not deployed
 */
export async function deploy(options: DeployOptions): Promise<void> {
  const { project, location, dryRun, environment } = options;
  const config = join(project, CONFIG);
  const domain = options.domain ?? (existsSync(config) ? domainIn(readFileSync(config, 'utf8')) : null);
  let settings = readDeploySettings(environment, domain);
  if (dryRun) return plan(settings, domain, location);

  step('Account');
  const api = await cloudflareApi(wranglerFor(undefined, options.startWrangler));
  const account = await chooseAccount(api, environment['CLOUDFLARE_ACCOUNT_ID']);
  say(account.name);
  const wrangler = wranglerFor(account.id, options.startWrangler);
  const subdomain = domain === null ? await requireSubdomain(account, api) : null;
  if (domain !== null) say(`the address is https://${domain}${options.domain === null ? `, as ${CONFIG} says` : ''}`);
  const worker = readWorkerConfig(join(project, 'wrangler.toml'));
  const inBuilds = environment['WORKERS_CI'] === '1';
  const already = await secretsSet(account, api, worker.name);
  if (inBuilds) requireWayIn(settings, already ?? new Set());
  if (already === null) {
    step('Plan');
    await requirePaidPlan(wrangler, worker);
    say('it allows the Worker');
  }
  step('Database and store');
  const toml = readFileSync(join(project, 'wrangler.toml'), 'utf8');
  const bound = boundIn(toml) ?? (await bind(account, api, location));
  const webSearch = await webSearchOf(account, api);
  writeFileSync(config, deployConfig(toml, bound, domain, webSearch.isBound));
  say(`their ids are in ${CONFIG}`);
  if (location !== null && !bound.isNewDatabase) say('The database already exists. Its location does not change.');
  step('Web search');
  say(webSearch.says);
  const isFirst = already === null && !webSearch.isBound && !hasWebSearch(settings);
  const chosen = isFirst && !inBuilds && options.askPerson ? await askWebSearch(options.askPerson, false) : null;
  if (chosen !== null) settings = readDeploySettings({ ...environment, [chosen.name]: chosen.value }, domain);
  if (isFirst && chosen === null) say(HOW_TO_SEARCH);
  step('Migrations');
  say(await wayBack(account, api, bound));
  await wrangler.run(['d1', 'migrations', 'apply', 'DB', '--remote', '--config', config]);

  step('Secrets');
  const { secrets, made, checkKey } = complete(settings, already ?? new Set());
  say(`to set: ${Object.keys(secrets).join(', ')}`);
  const before = await latestDeployment(account, api, worker.name);
  if (!inBuilds) keepSeal(project, secrets[SEAL]);
  else if (secrets[SEAL] !== undefined && settings.secrets[SEAL] === undefined) say(SEAL_IS_NOBODYS);
  // Shown before it is sent: once sent, it may be set even if something fails, and it cannot be read again.
  if (made !== null) say(newPassphrase(made));
  else if (already?.has(PASSPHRASE) === true && settings.secrets[PASSPHRASE] === undefined) say(PASSPHRASE_STAYS);
  step('The Worker');
  const host = domain ?? (subdomain === null ? null : `${worker.name}.${subdomain}.workers.dev`);
  const wanted = { worker: worker.name, domain, origin: host && `https://${host}`, crons: worker.triggers.crons };
  const address = await upload(wrangler, config, settings.vars, secrets).catch(async (error: unknown) => {
    throw error instanceof StopError ? await explainFailure(error, before, wanted, account, api) : error;
  });
  const origin = settings.vars['PUBLIC_URL'] === undefined ? address : new URL(settings.vars['PUBLIC_URL']).origin;
  if (origin === null)
    throw new UnfinishedDeploy('The Worker is deployed, but Wrangler did not say where. Look in its output above.');
  await check(origin, checkKey, options);
}

/** The command that sets a choice later, for a deploy without a terminal or without a choice. */
const HOW_TO_SEARCH =
  'To search the web, deploy with a provider: BRAVE_API_KEY=YOUR-KEY npm run deploy, or SEARXNG_URL=https://ADDRESS npm run deploy';

function hasWebSearch({ vars, secrets }: DeploySettings): boolean {
  return ['SEARCH_PROVIDERS', ...Object.values(ENGINE_SETTING_NAMES)].some((name) => name in vars || name in secrets);
}

async function check(origin: string, checkKey: string, options: DeployOptions): Promise<void> {
  const addresses = [
    `  Connector URL  ${origin}/mcp`,
    `  Health check   ${origin}/console/health`,
    `  Claude Code    claude mcp add --transport http periscope ${origin}/mcp`,
  ];
  step('Checking');
  await checkLive(origin, options).catch((error: unknown) => {
    if (!(error instanceof StopError)) throw error;
    const words = `This version of Periscope is deployed, but it did not pass the check of its address. ${error.message}`;
    throw new UnfinishedDeploy([words, ...addresses].join('\n'));
  });
  say('it answers as clients expect');
  step('Testing the browser');
  await checkBrowser(origin, checkKey, options);
  console.log([`\nPeriscope is at ${origin}/`, ...addresses].join('\n'));
}

/**
 * A build log is stored and shown to others, so no passphrase is made there.
 * @throws {StopError} if nobody could sign in
 */
function requireWayIn({ secrets }: DeploySettings, already: ReadonlySet<string>): void {
  if ([PASSPHRASE, ...OTHER_WAYS_IN].some((name) => secrets[name] !== undefined || already.has(name))) return;
  throw new StopError(
    `This runs in Workers Builds, whose log others may read, so no passphrase is made here. Set ${PASSPHRASE} (12 characters or more) as a secret of the Worker, or of the build, and start the build again.`,
  );
}

const SEAL_IS_NOBODYS = `${SEAL} is made now and nobody can read it: backups could not be opened. Set one of your own before anything is stored.`;

function newPassphrase(made: string): string {
  return [
    `\nYour passphrase, shown this once: ${made}`,
    'You sign in with it as the owner: when a client connects, and at /console. It is valid unless a later run shows another.',
  ].join('\n');
}

const PASSPHRASE_STAYS = `${PASSPHRASE} is set already and stays; nobody can read it again. To set a new one: ${PASSPHRASE}='12 characters or more' npm run deploy`;

/**
 * Adds the secrets that the Worker needs and that are not given. Makes a passphrase only if nobody could sign in
 * otherwise. A secret that is already set is replaced only by a given one.
 */
function complete(
  { secrets }: DeploySettings,
  already: ReadonlySet<string>,
): { secrets: Record<string, string>; made: string | null; checkKey: string } {
  const has = (name: string) => secrets[name] !== undefined || already.has(name);
  const checkKey = makeSecret();
  const sealed = { ...secrets, [CHECK]: checkKey, ...(has(SEAL) ? {} : { [SEAL]: makeSecret() }) };
  if ([PASSPHRASE, ...OTHER_WAYS_IN].some(has)) return { secrets: sealed, made: null, checkKey };
  const made = makePassphrase();
  return { secrets: { ...sealed, [PASSPHRASE]: made }, made, checkKey };
}

function plan({ vars, secrets }: DeploySettings, domain: string | null, location: string | null): void {
  const names = Object.keys(secrets);
  const lines = [
    'wrangler auth token --json unless CLOUDFLARE_API_TOKEN is set, then read the account with it (CLOUDFLARE_ACCOUNT_ID if there are several)',
    ...(domain === null ? ['read the workers.dev subdomain of the account, and stop if there is none'] : []),
    'list the secrets that are set',
    `if there is no Worker yet, deploy an empty one without an address: the Free plan refuses it`,
    `find the database ${DATABASE_NAME}, or create it${location === null ? '' : ` in ${location}`}`,
    `find the store ${STORE_NAME}, or create it`,
    'look whether the account has AI Gateway credits, which pay for the Web Search API of Cloudflare',
    `write ${CONFIG}: wrangler.toml with the ids of both, the AI binding unless there are no credits${domain === null ? '' : `, and ${domain} in place of workers.dev`}`,
    'print the bookmark of the database, to which it can go back',
    `wrangler d1 migrations apply DB --remote --config ${CONFIG}`,
    `keep ${SEAL} in ${KEPT_SEAL} if one is created now`,
    'print the passphrase if one is created now',
    `wrangler ${deployArgs(CONFIG, vars).join(' ')} --secrets-file (a temporary file, with ${[...names, `${CHECK}, created now`, `${SEAL} and, if nobody could sign in otherwise, ${PASSPHRASE}, created now unless they are set`].join(', ')})`,
    'check the address: /healthz, /mcp without a token, the metadata',
    `have it test its browser, with ${CHECK}`,
    'print the connector URL',
  ];
  console.log(
    `Nothing was changed. These are the steps:\n${lines.map((line, index) => `  ${index + 1}. ${line}`).join('\n')}`,
  );
}

function step(name: string): void {
  console.log(`\n── ${name}`);
}

function say(text: string): void {
  console.log(text);
}
