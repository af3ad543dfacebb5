import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

/** Everything that a deployment has stored, as text: one line for each row, value and key, with its place. */
export async function storedEverywhere(): Promise<string[]> {
  return [...(await inTables()), ...(await inKeys()), ...(await inObjects())];
}

/** The full-text index keeps removed words in its tables until it merges them, so rows are read through it. */
async function inTables(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{
    name: string;
  }>();
  const names = results.map(({ name }) => name).filter((name) => !/^(?:_cf_|sqlite_|search_words_)/.test(name));
  const rows = await Promise.all(
    names.map(async (name) => {
      const found = await env.DB.prepare(`SELECT rowid, * FROM "${name}"`).all();
      return found.results.map((row) => `D1 ${name}: ${textOf(row)}`);
    }),
  );
  return rows.flat();
}

async function inKeys(): Promise<string[]> {
  const { keys } = await env.OAUTH_KV.list();
  return Promise.all(
    keys.map(async ({ name, metadata }) => `KV ${name}: ${await env.OAUTH_KV.get(name)} ${textOf(metadata)}`),
  );
}

async function inObjects(): Promise<string[]> {
  const namespaces = Object.entries<unknown>({ ...env }).flatMap(([name, binding]) =>
    isNamespace(binding) ? [{ name, binding }] : [],
  );
  const lines = await Promise.all(
    namespaces.map(async ({ name, binding }) => {
      const ids = await listDurableObjectIds(binding);
      const ofEach = await Promise.all(
        ids.map((id) => runInDurableObject(binding.get(id), (_, { storage }) => linesOf(storage))),
      );
      return ofEach.flat().map((line) => `${name} ${line}`);
    }),
  );
  return lines.flat();
}

async function linesOf(storage: DurableObjectStorage): Promise<string[]> {
  const tables = storage.sql
    .exec<{ name: string }>(
      String.raw`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\_cf\_%' ESCAPE '\' AND name NOT LIKE 'sqlite%'`,
    )
    .toArray();
  const rows = tables.flatMap(({ name }) =>
    storage.sql
      .exec(`SELECT * FROM "${name}"`)
      .toArray()
      .map((row) => `${name}: ${textOf(row)}`),
  );
  const values = [...(await storage.list())].map(([key, value]) => `value ${key}: ${textOf(value)}`);
  return [...rows, ...values];
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (one instanceof ArrayBuffer) return new TextDecoder('latin1').decode(one);
    return one instanceof Uint8Array ? new TextDecoder('latin1').decode(one) : one;
  });
}

function isNamespace(binding: unknown): binding is DurableObjectNamespace {
  return Object.prototype.toString.call(binding) === '[object DurableObjectNamespace]';
}
