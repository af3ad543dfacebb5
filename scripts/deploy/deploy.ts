import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePassphrase, makeSecret } from '#scripts/local/settings.ts';
import { StopError } from '#scripts/local/stop-error.ts';
import { bind, DATABASE_NAME, requireLogin, secretsSet, STORE_NAME } from './account.ts';
import { checkLive } from './check-live.ts';
import { deployConfig } from './config-file.ts';
import { readDeploySettings } from './settings.ts';
import type { DeploySettings } from './settings.ts';
import { wrangler } from './wrangler.ts';

export type DeployOptions = {
  project: string;
  /** A domain on Cloudflare that the person owns, without `https://`. */
  domain: string | null;
  dryRun: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  /** Between two looks at an address that does not answer yet. */
  pauseMs?: number;
};

const CONFIG = 'wrangler.deploy.toml';
const PASSPHRASE = 'OWNER_PASSPHRASE';
/** Nobody needs to know it; it must only stay the same. */
const SEAL = 'SESSION_SECRET';
/** Of each of the other ways to sign in, the secret: what is set already is known by its name. */
const OTHER_WAYS_IN = ['OIDC_CLIENT_SECRET', 'GITHUB_CLIENT_SECRET'];

/** From an account to a working address. It can be run again: what is there is found, not made anew. */
export async function deploy(options: DeployOptions): Promise<void> {
  const { project, domain, dryRun, environment } = options;
  const settings = readDeploySettings(environment, domain);
  if (dryRun) return plan(settings, domain);

  step('Signing in');
  say(`as ${await requireLogin(wrangler)}`);
  step('Database and store');
  const bound = await bind(wrangler);
  const config = join(project, CONFIG);
  writeFileSync(config, deployConfig(readFileSync(join(project, 'wrangler.toml'), 'utf8'), bound));
  say(`their ids are in ${CONFIG}`);

  step('Secrets');
  const already = await secretsSet(wrangler, config);
  const { secrets, made } = complete(settings, already);
  say(Object.keys(secrets).length === 0 ? 'all are set' : `to set: ${Object.keys(secrets).join(', ')}`);
  step('Migrations');
  await wrangler.run(['d1', 'migrations', 'apply', 'DB', '--remote', '--config', config]);
  step('The Worker');
  const address = await upload(config, domain, settings.vars, secrets);
  // Shown before anything can fail that comes after: it is stored nowhere else that can be read.
  if (made !== null) console.log(`\nYour passphrase, shown this once: ${made}\n`);
  const origin = settings.vars['PUBLIC_URL'] === undefined ? address : new URL(settings.vars['PUBLIC_URL']).origin;
  if (origin === null)
    throw new StopError('The Worker is deployed, but Wrangler did not say where. Look in its output above.');
  step('Checking');
  await checkLive(origin, options.pauseMs);
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
): { secrets: Record<string, string>; made: string | null } {
  const has = (name: string) => secrets[name] !== undefined || already.has(name);
  const sealed = has(SEAL) ? secrets : { ...secrets, [SEAL]: makeSecret() };
  if ([PASSPHRASE, ...OTHER_WAYS_IN].some(has)) return { secrets: sealed, made: null };
  const made = makePassphrase();
  return { secrets: { ...sealed, [PASSPHRASE]: made }, made };
}

/** @returns the address that Wrangler names, `null` when it names none */
async function upload(
  config: string,
  domain: string | null,
  vars: Record<string, string>,
  secrets: Record<string, string>,
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-deploy-'));
  try {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    chmodSync(file, 0o600);
    const report = join(folder, 'report.ndjson');
    const output = await wrangler.run(
      [...deployArgs(config, domain, vars), ...(Object.keys(secrets).length === 0 ? [] : ['--secrets-file', file])],
      { WRANGLER_OUTPUT_FILE_PATH: report },
    );
    return addressIn(existsSync(report) ? readFileSync(report, 'utf8') : '', output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function deployArgs(config: string, domain: string | null, vars: Record<string, string>): string[] {
  return [
    'deploy',
    '--config',
    config,
    // What was set by an earlier run or in the dashboard stays.
    '--keep-vars',
    ...(domain === null ? [] : ['--domain', domain]),
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

function plan({ vars, secrets }: DeploySettings, domain: string | null): void {
  const names = Object.keys(secrets);
  const lines = [
    'wrangler whoami --json',
    `wrangler d1 list --json               (and, if ${DATABASE_NAME} is not there: wrangler d1 create ${DATABASE_NAME})`,
    `wrangler kv namespace list            (and, if ${STORE_NAME} is not there: wrangler kv namespace create ${STORE_NAME})`,
    `write ${CONFIG}: wrangler.toml with the ids of both`,
    `wrangler secret list --format json --config ${CONFIG}`,
    `wrangler d1 migrations apply DB --remote --config ${CONFIG}`,
    `wrangler ${deployArgs(CONFIG, domain, vars).join(' ')} --secrets-file (a file for the moment, with ${[...names, `${SEAL} and, if nobody could sign in otherwise, ${PASSPHRASE}, made now unless they are set`].join(', ')})`,
    'ask the address: /healthz, /mcp without a token, the metadata',
    'print the connector URL, and the passphrase if it was made now',
  ];
  console.log(
    `Nothing is changed. These are the steps:\n${lines.map((line, index) => `  ${index + 1}. ${line}`).join('\n')}`,
  );
}

function step(name: string): void {
  console.log(`\n── ${name}`);
}

function say(text: string): void {
  console.log(text);
}
