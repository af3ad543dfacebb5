import { join } from 'node:path';
import { Log, LogLevel, Miniflare } from 'miniflare';
import type { WorkerOptions } from 'miniflare';
import { bundleWorker } from '#scripts/local/bundle.ts';
import { applyMigrations } from '#scripts/local/migrate.ts';
import { findFreePort } from '#scripts/local/port.ts';
import { SHUT, workerOptions } from '#scripts/local/runtime.ts';
import { readWorkerConfig } from '#scripts/local/worker-config.ts';
import { scratchHome } from './server.ts';

const PROJECT = join(import.meta.dirname, '../..');
const SECOND = 'second';

/**
 * One deployment that runs in two isolates, each with a memory of its own, over the same objects, database and store. The
 * second answers addresses that end in `?isolate=second`.
 */
export type TwoIsolates = { origin: string; close: () => Promise<void> };

/** Takes the name of an isolate out of the address and hands the request on. */
const BALANCER = `
export default {
  fetch(request, env) {
    const url = new URL(request.url);
    const isolate = url.searchParams.get('isolate') === '${SECOND}' ? env.SECOND : env.FIRST;
    url.searchParams.delete('isolate');
    return isolate.fetch(new Request(url, new Request(request, { redirect: 'manual' })));
  },
};`;

/** @param settings of the Worker, over the vars of wrangler.toml; it has no browser */
export async function startTwoIsolates(settings: Record<string, string>): Promise<TwoIsolates> {
  const { home, remove } = scratchHome();
  const port = await findFreePort();
  const config = readWorkerConfig(join(PROJECT, 'wrangler.toml'));
  const bundle = await bundleWorker(PROJECT, join(PROJECT, '.wrangler/bundle'), () => undefined);
  const values = { RENDER_ENABLED: 'false', TRUST_CONNECTING_IP: 'false', ...settings };
  await applyMigrations(config, home, join(PROJECT, 'migrations'));
  const first = workerOptions({ config, bundle, values });
  const { exports: _, ...withoutObjects } = first.config;
  const second: WorkerOptions = { config: { ...withoutObjects, name: SECOND } };
  const balancer: WorkerOptions = {
    config: {
      name: 'balancer',
      compatibilityDate: config.compatibility_date,
      manifest: { mainModule: 'balancer.js', modules: { 'balancer.js': { type: 'esm', contents: BALANCER } } },
      env: {
        FIRST: { type: 'worker', worker: config.name },
        SECOND: { type: 'worker', worker: SECOND },
      },
    },
  };
  const runtime = new Miniflare({
    ...SHUT,
    host: '127.0.0.1',
    port,
    resourcePersistencePath: home,
    handleStructuredLogs: () => undefined,
    log: new Log(LogLevel.NONE),
    workers: [balancer, first, second],
  });
  await runtime.ready;
  return {
    origin: `http://localhost:${port}`,
    close: async () => {
      await runtime.dispose();
      remove();
    },
  };
}
