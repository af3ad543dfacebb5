import { env } from 'cloudflare:workers';

/**
 * As `applyD1Migrations` does it, but in one batch and without the module that function is in, which loads the whole
 * Worker: both would cost every test file, also those that need neither.
 */
const names = env.TEST_MIGRATIONS.map(({ name }) => name);
await env.DB.batch(
  [
    ...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries),
    'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    `INSERT INTO d1_migrations (name) VALUES ${names.map((name) => `('${name}')`).join(', ')}`,
  ].map((query) => env.DB.prepare(query)),
);
