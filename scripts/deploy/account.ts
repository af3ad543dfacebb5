import * as z from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';
import { ApiError } from './cloudflare-api.ts';
import type { CloudflareApi } from './cloudflare-api.ts';

/** Resources that the Worker is bound to. */
export type Bound = { database: string; store: string; isNewDatabase: boolean };

export const DATABASE_NAME = 'periscope';
export const STORE_NAME = 'periscope-oauth';

const accountSchema = z.object({ id: z.string(), name: z.string() });
const databaseSchema = z.object({ name: z.string(), uuid: z.string() });
const storeSchema = z.object({ id: z.string(), title: z.string() });
const subdomainSchema = z.object({ subdomain: z.string() });
const secretSchema = z.object({ name: z.string() });

export type Account = z.infer<typeof accountSchema>;

/** Items per page of an answer, at the API's limit for stores. */
const PAGE_ITEMS = 1_000;
const NO_SUBDOMAIN = 10_007;
const SERVER_ERROR_MIN = 500;

/**
 * Chooses the account to deploy to.
 * @param wanted the id in `CLOUDFLARE_ACCOUNT_ID`, if it is set
 * @throws {StopError} if there are several accounts, with a list of them
 */
export async function chooseAccount(api: CloudflareApi, wanted: string | undefined): Promise<Account> {
  // A token may deploy to an account that it may not list.
  if (wanted !== undefined) return { id: wanted, name: wanted };
  const accounts = z.array(accountSchema).parse(await api.get('/accounts'));
  const [only] = accounts;
  if (only === undefined) {
    throw new StopError('Cloudflare lists no account for this sign-in: set CLOUDFLARE_ACCOUNT_ID to the one to use.');
  }
  if (accounts.length === 1) return only;
  const lines = accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id} npm run deploy   # ${name}`);
  throw new StopError(`There is more than one account. Name the one to deploy to:\n${lines.join('\n')}`);
}

/**
 * @returns the account's subdomain of workers.dev; `null` if the token may not read it but may still deploy
 * @throws {StopError} if the account can give no address under workers.dev
 */
export async function requireSubdomain({ id }: Account, api: CloudflareApi): Promise<string | null> {
  try {
    return subdomainSchema.parse(await api.get(`/accounts/${id}/workers/subdomain`)).subdomain;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= SERVER_ERROR_MIN) throw error;
    if (!error.codes.includes(NO_SUBDOMAIN)) return null;
    throw new StopError(
      [
        'The account has no workers.dev subdomain yet, so the Worker would have no address. Nothing was created. Either',
        `  open https://dash.cloudflare.com/${id}/workers/onboarding once, which sets one up, or`,
        '  deploy to a domain of yours that is on Cloudflare: npm run deploy -- --domain periscope.example.com',
      ].join('\n'),
    );
  }
}

/**
 * Finds the database and the store by name, or creates them.
 * @param location one of D1's location hints for a new database; `null` creates it near the caller
 */
export async function bind({ id }: Account, api: CloudflareApi, location: string | null): Promise<Bound> {
  const databases = `/accounts/${id}/d1/database`;
  const named = z.array(databaseSchema).parse(await api.get(`${databases}?name=${DATABASE_NAME}`));
  const found = named.find(({ name }) => name === DATABASE_NAME);
  const hint = location === null ? {} : { primary_location_hint: location };
  const database = found ?? databaseSchema.parse(await api.post(databases, { name: DATABASE_NAME, ...hint }));
  const stores = `/accounts/${id}/storage/kv/namespaces`;
  const store = (await findStore(stores, api)) ?? storeSchema.parse(await api.post(stores, { title: STORE_NAME }));
  return { database: database.uuid, store: store.id, isNewDatabase: found === undefined };
}

async function findStore(stores: string, api: CloudflareApi) {
  for (let page = 1; ; page += 1) {
    const some = z.array(storeSchema).parse(await api.get(`${stores}?per_page=${PAGE_ITEMS}&page=${page}`));
    const found = some.find(({ title }) => title === STORE_NAME);
    if (found !== undefined || some.length < PAGE_ITEMS) return found;
  }
}

/** Names of the secrets that are already set; `null` if there is no such Worker yet. */
export async function secretsSet({ id }: Account, api: CloudflareApi, worker: string): Promise<Set<string> | null> {
  try {
    const secrets = await api.get(`/accounts/${id}/workers/scripts/${worker}/secrets`);
    return new Set(
      z
        .array(secretSchema)
        .parse(secrets)
        .map(({ name }) => name),
    );
  } catch (error) {
    if (error instanceof ApiError && error.isNoWorker) return null;
    throw error;
  }
}
