import { deploymentPart } from '#client/deployment/deployment.ts';
import { reset, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { IDENTITY_KEY } from '#client/deployment/sign-in-state.ts';
import { unwrittenActivity, unwrittenCounts } from '#telemetry/call-counts.ts';

declare global {
  /** Ids of the objects that were asked for since storage was last emptied: one list for all modules of the runtime. */
  var objectsInUse: Set<string> | undefined;
}

const namespaces = Object.values<unknown>({ ...env }).filter(isNamespace);
const inUse = (globalThis.objectsInUse ??= watched());

/**
 * Takes away all that is stored, and what earlier calls have left to be stored: a line of activity would lead to a page that is
 * gone. What the runtime has put to sleep is woken first, because `reset` forgets only what is awake.
 * The Worker keeps the identity of its deployment in memory, so the storage does, too.
 */
export async function emptyStorage(): Promise<void> {
  await Promise.all([...inUse].map((id) => runInDurableObject(stubOf(id), () => undefined)));
  await Promise.all([env.DB.prepare('SELECT 1').run(), env.OAUTH_KV.list()]);
  const identity = await deploymentPart(env, 'signIn').identity();
  await reset();
  for (const { items } of [unwrittenCounts, ...unwrittenActivity.values()]) items.length = 0;
  inUse.clear();
  await runInDurableObject(env.DEPLOYMENT.get(env.DEPLOYMENT.idFromName('deployment')), (_, { storage }) =>
    storage.kv.put(IDENTITY_KEY, identity),
  );
  await makeTables();
}

/** As `applyD1Migrations` does it, but in one batch. */
async function makeTables(): Promise<void> {
  const names = env.TEST_MIGRATIONS.map(({ name }) => name);
  await env.DB.batch(
    [
      ...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries),
      'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
      `INSERT INTO d1_migrations (name) VALUES ${names.map((name) => `('${name}')`).join(', ')}`,
    ].map((query) => env.DB.prepare(query)),
  );
}

function isNamespace(binding: unknown): binding is DurableObjectNamespace {
  return Object.prototype.toString.call(binding) === '[object DurableObjectNamespace]';
}

/** A stub belongs to whoever asked for it; this is one of ours. */
function stubOf(id: string): DurableObjectStub {
  for (const namespace of namespaces) {
    try {
      return namespace.get(namespace.idFromString(id));
    } catch {
      // It is of another namespace.
    }
  }
  throw new TypeError(`no namespace has the object ${id}`);
}

/** All namespaces have one prototype, whoever has the binding. */
function watched(): Set<string> {
  const ids = new Set<string>();
  const all: object = Object.getPrototypeOf(env.CLIENT);
  for (const method of ['get', 'getByName']) {
    const original: (...args: unknown[]) => DurableObjectStub = Reflect.get(all, method);
    Reflect.set(all, method, function (this: unknown, ...args: unknown[]) {
      const stub = Reflect.apply(original, this, args);
      ids.add(stub.id.toString());
      return stub;
    });
  }
  return ids;
}
