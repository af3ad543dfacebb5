import { randomBytes } from 'node:crypto';
import type { Miniflare, WorkerOptions } from 'miniflare';
import { z } from 'zod';
import type { WorkerConfig } from './worker-config.ts';

/**
 * A second Worker beside Periscope's, for what the platform does there and this process has to do here: the hourly trigger.
 * It is asked over HTTP: miniflare's own handle on a Worker makes this process wait without reading, while the runtime may
 * be waiting for it to read the log. It answers only to a secret of this start.
 */
export type Keeper = {
  /** Fires the scheduled event of each cron and waits for its end. */
  tidy: (crons: readonly string[]) => Promise<void>;
};

/** No name that a browser or a person would send. */
const HOST = 'keeper.periscope.invalid';
const NAME = 'keeper';
const SECRET_BYTES = 32;

const SCRIPT = `
const digest = (text) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
export default {
  async fetch(request, env) {
    const [given, ours] = await Promise.all([digest(request.headers.get('authorization') ?? ''), digest(env.SECRET)]);
    if (!crypto.subtle.timingSafeEqual(given, ours)) return new Response(null, { status: 404 });
    try {
      for (const cron of await request.json()) await env.PERISCOPE.scheduled({ cron });
      return Response.json({});
    } catch (error) {
      return Response.json({ failed: String(error?.message ?? error) });
    }
  },
};
`;

const answerSchema = z.object({ failed: z.string().optional() });

/** @returns the Worker for miniflare, and what asks it */
export function keeper(config: WorkerConfig): { worker: WorkerOptions; ask: (runtime: Miniflare) => Keeper } {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const worker: WorkerOptions = {
    config: {
      name: NAME,
      compatibilityDate: config.compatibility_date,
      compatibilityFlags: ['service_binding_extra_handlers'],
      manifest: { mainModule: 'keeper.js', modules: { 'keeper.js': { type: 'esm', contents: SCRIPT } } },
      triggers: [{ type: 'fetch', pattern: `${HOST}/*` }],
      env: { SECRET: { type: 'text', value: secret }, PERISCOPE: { type: 'worker', worker: config.name } },
    },
  };
  return { worker, ask: (runtime) => ({ tidy: (crons) => tidy(runtime, secret, crons) }) };
}

async function tidy(runtime: Miniflare, secret: string, crons: readonly string[]): Promise<void> {
  const response = await runtime.dispatchFetch(`http://${HOST}/`, {
    method: 'POST',
    headers: { authorization: secret },
    body: JSON.stringify(crons),
  });
  const { failed } = answerSchema.parse(await response.json());
  if (failed !== undefined) throw new Error(failed);
}
