import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePassphrase, makeSecret } from '#scripts/local/settings.ts';
import { StopError } from '#scripts/local/stop-error.ts';
import { bind, chooseAccount, DATABASE_NAME, requireSubdomain, secretsSet, STORE_NAME } from './account.ts';
import { cloudflareApi } from './cloudflare-api.ts';
import { checkBrowser } from './check-browser.ts';
import { checkLive } from './check-live.ts';
import { deployConfig, domainIn } from './config-file.ts';
import { readDeploySettings } from './settings.ts';
import type { DeploySettings } from './settings.ts';
import { wranglerFor } from './wrangler.ts';
import type { Wrangler } from './wrangler.ts';

export type DeployOptions = {
  project: string;
  /** A domain on Cloudflare that the person owns, without `https://`. */
  domain: string | null;
  /** Where the database is made, as `wrangler d1 create --location` takes it; `null` leaves it to Cloudflare. */
  location: string | null;
  dryRun: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  /** Between two looks at an address that does not answer yet. */
  pauseMs?: number;
  /** How the new address is asked whether it is well. */
  ask?: typeof fetch;
};

const CONFIG = 'wrangler.deploy.toml';
/** As `wrangler.toml` names it. */
const WORKER = 'periscope';
const PASSPHRASE = 'OWNER_PASSPHRASE';
/** Nobody needs to know it; it must only stay the same. */
const SEAL = 'SESSION_SECRET';
/** Made anew by each deploy, for its own check: nobody else knows it. */
const CHECK = 'LIVE_CHECK_KEY';
/** Of each of the other ways to sign in, the secret: what is set already is known by its name. */
const OTHER_WAYS_IN = ['OIDC_CLIENT_SECRET', 'GITHUB_CLIENT_SECRET'];

/** From an account to a working address. It can be run again: what is there is found, not made anew. */
export async function deploy(options: DeployOptions): Promise<void> {
  const { project, location, dryRun, environment } = options;
  const config = join(project, CONFIG);
  const domain = options.domain ?? (existsSync(config) ? domainIn(readFileSync(config, 'utf8')) : null);
  const settings = readDeploySettings(environment, domain);
  if (dryRun) return plan(settings, domain, location);

  step('Account');
  const api = await cloudflareApi(wranglerFor());
  const account = await chooseAccount(api, environment['CLOUDFLARE_ACCOUNT_ID']);
  say(account.name);
  const wrangler = wranglerFor(account.id);
  if (domain === null) await requireSubdomain(account, api);
  else say(`the address is https://${domain}${options.domain === null ? `, as ${CONFIG} says` : ''}`);
  step('Database and store');
  const bound = await bind(account, api, location);
  const toml = readFileSync(join(project, 'wrangler.toml'), 'utf8');
  writeFileSync(config, deployConfig(toml, bound, domain));
  say(`their ids are in ${CONFIG}`);
  if (location !== null && !bound.isNewDatabase) say('The database already exists. Its location does not change.');

  step('Secrets');
  const already = await secretsSet(account, api, WORKER);
  const { secrets, made, checkKey } = complete(settings, already);
  say(`to set: ${Object.keys(secrets).join(', ')}`);
  step('Migrations');
  await wrangler.run(['d1', 'migrations', 'apply', 'DB', '--remote', '--config', config]);
  step('The Worker');
  const address = await upload(wrangler, config, settings.vars, secrets);
  // Shown before anything can fail that comes after: it is stored nowhere else that can be read.
  if (made !== null) console.log(`\nYour passphrase, shown this once: ${made}\n`);
  const origin = settings.vars['PUBLIC_URL'] === undefined ? address : new URL(settings.vars['PUBLIC_URL']).origin;
  if (origin === null)
    throw new StopError('The Worker is deployed, but Wrangler did not say where. Look in its output above.');
  step('Checking');
  await checkLive(origin, options);
  say('it answers as clients expect');
  step('Testing the browser');
  await checkBrowser(origin, checkKey, options);
  console.log(
    [
      `\nPeriscope is at ${origin}/`,
      `  Connector URL  ${origin}/mcp`,
      `  Health check   ${origin}/console/health`,
      `  Claude Code    claude mcp add --transport http periscope ${origin}/mcp`,
    ].join('\n'),
  );
}

/**
 * Adds what the Worker needs and nobody gave. A passphrase is made only where nobody could sign in otherwise; what is set
 * already is never replaced unasked.
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

/** @returns the address that Wrangler names, `null` when it names none */
async function upload(
  wrangler: Wrangler,
  config: string,
  vars: Record<string, string>,
  secrets: Record<string, string>,
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-deploy-'));
  try {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    chmodSync(file, 0o600);
    const report = join(folder, 'report.ndjson');
    const output = await wrangler.run([...deployArgs(config, vars), '--secrets-file', file], {
      WRANGLER_OUTPUT_FILE_PATH: report,
    });
    return addressIn(existsSync(report) ? readFileSync(report, 'utf8') : '', output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function deployArgs(config: string, vars: Record<string, string>): string[] {
  return [
    'deploy',
    '--config',
    config,
    // What was set by an earlier run or in the dashboard stays.
    '--keep-vars',
    ...Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ];
}

function addressIn(report: string, output: string): string | null {
  for (const line of report.split('\n').filter((text) => text.trim() !== '')) {
    const { type, targets } = JSON.parse(line) as { type?: string; targets?: string[] };
    const target = type === 'deploy' ? targets?.[0]?.split(' ')[0] : undefined;
    if (target !== undefined) return new URL(target.includes('://') ? target : `https://${target}`).origin;
  }
  const printed = /^\s+(https?:\/\/\S+)\s*$/mu.exec(output)?.[1];
  return printed === undefined ? null : new URL(printed).origin;
}

function plan({ vars, secrets }: DeploySettings, domain: string | null, location: string | null): void {
  const names = Object.keys(secrets);
  const lines = [
    'wrangler auth token --json unless CLOUDFLARE_API_TOKEN is set, then read the account with it (CLOUDFLARE_ACCOUNT_ID if there are several)',
    ...(domain === null ? ['read the workers.dev subdomain of the account, and stop if there is none'] : []),
    `find the database ${DATABASE_NAME}, or create it${location === null ? '' : ` in ${location}`}`,
    `find the store ${STORE_NAME}, or create it`,
    `write ${CONFIG}: wrangler.toml with the ids of both${domain === null ? '' : `, and ${domain} in place of workers.dev`}`,
    'list the secrets that are set',
    `wrangler d1 migrations apply DB --remote --config ${CONFIG}`,
    `wrangler ${deployArgs(CONFIG, vars).join(' ')} --secrets-file (a temporary file, with ${[...names, `${CHECK}, created now`, `${SEAL} and, if nobody could sign in otherwise, ${PASSPHRASE}, created now unless they are set`].join(', ')})`,
    'check the address: /healthz, /mcp without a token, the metadata',
    `have it test its browser, with ${CHECK}`,
    'print the connector URL, and the passphrase if it was created now',
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
