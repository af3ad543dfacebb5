import { listDurableObjectIds, reset, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

/**
 * Files of tests share one runtime, as starting one costs more than most of them. Each begins with empty storage: what
 * the runtime has put to sleep since is woken first, because `reset` forgets only what is awake.
 */
for (const binding of Object.values<unknown>({ ...env })) {
  if (!isNamespace(binding)) continue;
  for (const id of await listDurableObjectIds(binding)) await runInDurableObject(binding.get(id), () => undefined);
}
await Promise.all([env.DB.prepare('SELECT 1').run(), env.OAUTH_KV.list()]);
await reset();

function isNamespace(binding: unknown): binding is DurableObjectNamespace {
  return Object.prototype.toString.call(binding) === '[object DurableObjectNamespace]';
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
