import { reset, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

declare global {
  /** The objects that were asked for since storage was last emptied, by id: one list for all modules of the runtime. */
  var objectsInUse: Map<string, DurableObjectStub> | undefined;
}

/**
 * Files of tests share one runtime, as starting one costs more than most of them. Each begins with empty storage. What
 * the runtime has put to sleep since is woken first, because `reset` forgets only what is awake.
 */
const inUse = (globalThis.objectsInUse ??= watched());
await Promise.all([...inUse.values()].map((stub) => runInDurableObject(stub, () => undefined)));
await Promise.all([env.DB.prepare('SELECT 1').run(), env.OAUTH_KV.list()]);
await reset();
inUse.clear();

/** All namespaces have one prototype, whoever has the binding. */
function watched(): Map<string, DurableObjectStub> {
  const stubs = new Map<string, DurableObjectStub>();
  const all: object = Object.getPrototypeOf(env.CLIENT);
  for (const method of ['get', 'getByName']) {
    const original: (...args: unknown[]) => DurableObjectStub = Reflect.get(all, method);
    Reflect.set(all, method, function (this: unknown, ...args: unknown[]) {
      const stub = Reflect.apply(original, this, args);
      stubs.set(stub.id.toString(), stub);
      return stub;
    });
  }
  return stubs;
}

/** As `applyD1Migrations` does it, but in one batch. */
const names = env.TEST_MIGRATIONS.map(({ name }) => name);
await env.DB.batch(
  [
    ...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries),
    'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    `INSERT INTO d1_migrations (name) VALUES ${names.map((name) => `('${name}')`).join(', ')}`,
  ].map((query) => env.DB.prepare(query)),
);
