import { deploymentPart } from '#client/deployment/deployment.ts';
import { reset, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { DEPLOYMENT_IDENTITY_KEY } from '#client/deployment/sign-in-state.ts';
import { unwrittenActivity, unwrittenCallCounts } from '#telemetry/call-counts.ts';

declare global {
  /** Ids of the objects that were used since storage was last emptied: one list for all modules of the runtime. */
  var objectsInUse: Set<string> | undefined;
}

const namespaces = Object.values<unknown>({ ...env }).filter(isNamespace);
const inUse = (globalThis.objectsInUse ??= watched());

/**
 * Deletes everything stored, and everything that earlier calls still have to store: a line of activity would lead to a
 * deleted page. Sleeping objects are woken first, because `reset` forgets only those that are awake. The identity of
 * the deployment is put back, because the Worker caches it in memory.
 */
export async function emptyStorage(): Promise<void> {
  await Promise.all([...inUse].map((id) => runInDurableObject(stubOf(id), () => undefined)));
  await Promise.all([env.DB.prepare('SELECT 1').run(), env.OAUTH_KV.list()]);
  const identity = await deploymentPart(env, 'signIn').identity();
  await reset();
  for (const { items } of [unwrittenCallCounts, ...unwrittenActivity.values()]) items.length = 0;
  inUse.clear();
  await runInDurableObject(env.DEPLOYMENT.get(env.DEPLOYMENT.idFromName('deployment')), (_, { storage }) =>
    storage.kv.put(DEPLOYMENT_IDENTITY_KEY, identity),
  );
  await makeTables();
}

/** Like `applyD1Migrations`, but in one batch. */
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

/** Makes our own stub: a stub works only for the request that made it. */
function stubOf(id: string): DurableObjectStub {
  for (const namespace of namespaces) {
    try {
      return namespace.get(namespace.idFromString(id));
    } catch {
      // The id is from another namespace.
    }
  }
  throw new TypeError(`no namespace has the object ${id}`);
}

/** All namespaces share one prototype, so one patch covers every binding. */
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
