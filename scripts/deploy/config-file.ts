import { StopError } from '#scripts/local/stop-error.ts';
import type { Bound } from './account.ts';

const NO_DATABASE = '"00000000-0000-0000-0000-000000000000"';
const NO_STORE = '"00000000000000000000000000000000"';

const ON_WORKERS_DEV = '\nworkers_dev = true\n';
const DOMAIN = /^routes = \[\{ pattern = "([^"]+)", custom_domain = true \}\]$/mu;

/** The AI binding does not work locally, so `wrangler.toml` has none. */
const WEB_SEARCH = '\n[ai]\nbinding = "AI"\n';

/**
 * The committed `wrangler.toml` with the ids of an account in place of the zeros, the domain if there is one, and the
 * binding for web search if the account can pay for it.
 */
export function deployConfig(
  toml: string,
  { database, store }: Pick<Bound, 'database' | 'store'>,
  domain: string | null,
  hasWebSearch: boolean,
): string {
  const ids = boundIn(toml) === null ? [NO_DATABASE, NO_STORE] : [];
  for (const part of [...ids, ON_WORKERS_DEV]) {
    if (toml.split(part).length !== 2) {
      throw new StopError(
        `wrangler.toml must contain ${part.trim()} once: keep it as it is committed, npm run deploy fills in your own values.`,
      );
    }
  }
  const filled = toml.replace(NO_DATABASE, JSON.stringify(database)).replace(NO_STORE, JSON.stringify(store));
  const atDomain = `\nworkers_dev = false\nroutes = [{ pattern = ${JSON.stringify(domain)}, custom_domain = true }]\n`;
  return [
    '# Written by npm run deploy from wrangler.toml and the ids in your account. Git ignores it.',
    domain === null ? filled : filled.replace(ON_WORKERS_DEV, atDomain),
    ...(hasWebSearch ? [WEB_SEARCH] : []),
  ].join('\n');
}

/** The ids that Cloudflare's Deploy button has written into `wrangler.toml`; `null` if it still has the zeros. */
export function boundIn(toml: string): Bound | null {
  const database = DATABASE_ID.exec(toml)?.[1];
  const store = STORE_ID.exec(toml)?.[1];
  if (database === undefined || store === undefined) return null;
  if (NO_DATABASE.includes(database) || NO_STORE.includes(store)) return null;
  return { database, store, isNewDatabase: false };
}

const DATABASE_ID = /^database_id = "([\w-]+)"$/mu;
const STORE_ID = /^id = "(\w+)"$/mu;

/** The domain that an earlier run wrote into the file, or `null`. */
export function domainIn(config: string): string | null {
  return DOMAIN.exec(config)?.[1] ?? null;
}
