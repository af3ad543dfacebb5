import { randomBytes } from 'node:crypto';
import type { Miniflare, WorkerOptions } from 'miniflare';
import { z } from 'zod';
import type { WorkerConfig } from './worker-config.ts';

/**
 * A second Worker beside Periscope's. It does what the platform does automatically and this process must do locally:
 * the hourly trigger, and resuming interrupted workflow runs. It is called over HTTP: with miniflare's own handle on a
 * Worker, this process would wait without reading, while the runtime may wait for it to read the log. It accepts only
 * the secret of this start.
 */
export type Keeper = {
  /** Fires the scheduled event of each cron and waits for its end. */
  tidy: (crons: readonly string[]) => Promise<void>;
  /** Resumes the rounds that were running when the runtime stopped. */
  goOn: () => Promise<void>;
};

const HOST = 'keeper.periscope.invalid';
const NAME = 'keeper';
const SECRET_BYTES = 32;

/**
 * After a restart, the local runtime reports an unfinished workflow run as `running` but does not continue it. Pausing
 * and resuming continues it after its last finished step; resuming alone does not.
 */
const SCRIPT = `
const digest = (text) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
const goOn = async (env) => {
  const under = "SELECT run FROM follows WHERE run IS NOT NULL";
  for (const { run } of (await env.DB.prepare(under).all()).results) {
    try {
      const instance = await env.FOLLOW.get(run);
      await instance.pause();
      await instance.resume();
    } catch {
      // It has ended, or never began: the hourly trigger sees to that.
    }
  }
};
export default {
  async fetch(request, env) {
    const [given, ours] = await Promise.all([digest(request.headers.get('authorization') ?? ''), digest(env.SECRET)]);
    if (!crypto.subtle.timingSafeEqual(given, ours)) return new Response(null, { status: 404 });
    try {
      const asked = await request.json();
      if (asked === 'go on') await goOn(env);
      else for (const cron of asked) await env.PERISCOPE.scheduled({ cron });
      return Response.json({});
    } catch (error) {
      return Response.json({ failed: String(error?.message ?? error) });
    }
  },
};
`;

const answerSchema = z.object({ failed: z.string().optional() });

/** @returns the Worker for miniflare, and a function that makes its client */
export function keeper(config: WorkerConfig): { worker: WorkerOptions; ask: (runtime: Miniflare) => Keeper } {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const worker: WorkerOptions = {
    config: {
      name: NAME,
      compatibilityDate: config.compatibility_date,
      compatibilityFlags: ['service_binding_extra_handlers'],
      manifest: { mainModule: 'keeper.js', modules: { 'keeper.js': { type: 'esm', contents: SCRIPT } } },
      env: {
        SECRET: { type: 'text', value: secret },
        PERISCOPE: { type: 'worker', worker: config.name },
        ...Object.fromEntries(
          config.d1_databases.map(({ binding, database_id: id }) => [binding, { type: 'd1', id } as const]),
        ),
        ...workflowBindings(config),
      },
    },
  };
  return {
    worker,
    ask: (runtime) => ({
      tidy: (crons) => ask(runtime, secret, crons),
      goOn: () => ask(runtime, secret, 'go on'),
    }),
  };
}

export function workflowBindings({ name, workflows }: WorkerConfig) {
  return Object.fromEntries(
    workflows.map(({ binding, name: workflow, class_name: exportName }) => [
      binding,
      { type: 'workflow', name: workflow, worker: name, exportName } as const,
    ]),
  );
}

async function ask(runtime: Miniflare, secret: string, what: readonly string[] | 'go on'): Promise<void> {
  const response = await runtime.dispatchFetch(`http://${HOST}/`, {
    method: 'POST',
    headers: { authorization: secret },
    body: JSON.stringify(what),
  });
  const { failed } = answerSchema.parse(await response.json());
  if (failed !== undefined) throw new Error(failed);
}
