import { join } from 'node:path';
import { bundleWorker } from '#scripts/local/bundle.ts';
import { applyMigrations } from '#scripts/local/migrate.ts';
import { findFreePort } from '#scripts/local/port.ts';
import { readWorkerConfig } from '#scripts/local/worker-config.ts';
import { scratchHome } from './server.ts';

const PROJECT = join(import.meta.dirname, '../..');

/**
 * Everything a test runtime needs to run the built Worker: its modules, its settings, and a folder with an empty
 * database.
 * @param settings of the Worker, over the vars of wrangler.toml; it has no browser unless they set RENDER_ENABLED
 */
export async function builtWorker(settings: Record<string, string>) {
  const { home, remove } = scratchHome();
  const port = await findFreePort();
  const config = readWorkerConfig(join(PROJECT, 'wrangler.toml'));
  const bundle = await bundleWorker(PROJECT, join(PROJECT, '.wrangler/bundle'), () => undefined);
  const values = { RENDER_ENABLED: 'false', TRUST_CONNECTING_IP: 'false', ...settings };
  await applyMigrations(config, home, join(PROJECT, 'migrations'), (text) => {
    throw new Error(text);
  });
  return { home, remove, port, config, bundle, values };
}
