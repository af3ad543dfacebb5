import * as z from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';
import type { Wrangler } from './wrangler.ts';

/** Ids of what the Worker is bound to. */
export type Bound = { database: string; store: string };

export const DATABASE_NAME = 'periscope';
export const STORE_NAME = 'periscope-oauth';

const loginSchema = z.object({ loggedIn: z.boolean(), email: z.string().optional() });
const databasesSchema = z.array(z.object({ name: z.string(), uuid: z.string() }));
const storesSchema = z.array(z.object({ id: z.string(), title: z.string() }));
const secretsSchema = z.array(z.object({ name: z.string() }));

/** @throws {StopError} when nobody is signed in to Cloudflare */
export async function requireLogin({ readOr }: Wrangler): Promise<string> {
  const answer = await readOr(['whoami', '--json'], /"loggedIn":\s*false|not authenticated/iu);
  const login = answer === null ? null : parse(loginSchema, answer, 'whoami');
  if (login?.loggedIn === true) return login.email ?? 'an API token';
  throw new StopError('Nobody is signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN.');
}

/** Finds the database and the store by name, or makes them. */
export async function bind(wrangler: Wrangler): Promise<Bound> {
  const database = await findOrMake('the database', ['d1', 'create', DATABASE_NAME], wrangler, async () => {
    const all = parse(databasesSchema, await wrangler.read(['d1', 'list', '--json']), 'd1 list');
    return all.find(({ name }) => name === DATABASE_NAME)?.uuid;
  });
  const store = await findOrMake('the store', ['kv', 'namespace', 'create', STORE_NAME], wrangler, async () => {
    const all = parse(storesSchema, await wrangler.read(['kv', 'namespace', 'list']), 'kv list');
    return all.find(({ title }) => title === STORE_NAME)?.id;
  });
  return { database, store };
}

/** Names of the secrets that are set already; none when there is no such Worker yet. */
export async function secretsSet({ readOr }: Wrangler, config: string): Promise<Set<string>> {
  const answer = await readOr(
    ['secret', 'list', '--format', 'json', '--config', config],
    /not found|does not exist|10007/iu,
  );
  return new Set(answer === null ? [] : parse(secretsSchema, answer, 'secret list').map(({ name }) => name));
}

async function findOrMake(
  what: string,
  make: string[],
  { run }: Wrangler,
  find: () => Promise<string | undefined>,
): Promise<string> {
  const found = await find();
  if (found !== undefined) return found;
  await run(make);
  const made = await find();
  if (made === undefined) throw new StopError(`wrangler ${make.join(' ')} worked, but ${what} is not in its list.`);
  return made;
}

/** Wrangler may print a banner before its JSON. */
function parse<T>(schema: z.ZodType<T>, output: string, what: string): T {
  const start = output.search(/[[{]/u);
  try {
    return schema.parse(JSON.parse(output.slice(Math.max(start, 0))));
  } catch {
    throw new StopError(`The answer of wrangler ${what} cannot be read; is Wrangler the version of package-lock.json?`);
  }
}
