import { Log, LogLevel, Miniflare } from 'miniflare';
import type { WorkerOptions } from 'miniflare';
import { SHUT, workerOptions } from '#scripts/local/runtime.ts';
import { builtWorker } from './built-worker.ts';

const SECOND = 'second';

/**
 * One deployment in two isolates, each with its own memory, with the same objects, database and store. The second
 * answers addresses that end in `?isolate=second`.
 */
export type TwoIsolates = { origin: string; close: () => Promise<void> };

/** Removes the isolate's name from the address and forwards the request. */
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
  const { home, remove, port, config, bundle, values } = await builtWorker(settings);
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
