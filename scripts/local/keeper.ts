import { randomBytes } from 'node:crypto';
import type { Miniflare, WorkerOptions } from 'miniflare';
import { z } from 'zod';
import type { WorkerConfig } from './worker-config.ts';

/**
 * A second Worker beside Periscope's, for what the platform does there and this process has to do here: migrations, and
 * the hourly trigger. It is asked over HTTP: miniflare's own handles on a Worker and a database make this process wait
 * without reading, while the runtime may be waiting for it to read the log. It answers only to a secret of this start.
 */
export type Keeper = {
  /** Of `wrangler d1 migrations apply`: the names of those applied. */
  appliedMigrations: () => Promise<string[]>;
  /** Runs the statements of a migration, all or none, and notes its name. */
  migrate: (name: string, statements: readonly string[]) => Promise<void>;
  /** Fires the scheduled event of each cron and waits for its end. */
  tidy: (crons: readonly string[]) => Promise<void>;
};

/** No name that a browser or a person would send. */
const HOST = 'keeper.periscope.invalid';
const NAME = 'keeper';
const SECRET_BYTES = 32;

// The table and its columns are those of `wrangler d1 migrations apply`, so both may be used on one database.
const SCRIPT = `
const TABLE = \`CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)\`;
const WORK = {
  async applied({}, { DB }) {
    await DB.prepare(TABLE).run();
    const { results } = await DB.prepare('SELECT name FROM d1_migrations').all();
    return results.map(({ name }) => name);
  },
  async migrate({ name, statements }, { DB }) {
    const note = DB.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name);
    await DB.batch([...statements.map((sql) => DB.prepare(sql)), note]);
    return [];
  },
  async tidy({ crons }, { PERISCOPE }) {
    for (const cron of crons) await PERISCOPE.scheduled({ cron });
    return [];
  },
};
const digest = (text) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
export default {
  async fetch(request, env) {
    const [given, ours] = await Promise.all([digest(request.headers.get('authorization') ?? ''), digest(env.SECRET)]);
    if (!crypto.subtle.timingSafeEqual(given, ours)) return new Response(null, { status: 404 });
    try {
      const { work, ...input } = await request.json();
      return Response.json({ done: await WORK[work](input, env) });
    } catch (error) {
      return Response.json({ failed: String(error?.message ?? error) });
    }
  },
};
`;

const answerSchema = z.union([z.object({ done: z.array(z.string()) }), z.object({ failed: z.string() })]);

/** @returns the Worker for miniflare, and what asks it */
export function keeper(config: WorkerConfig): { worker: WorkerOptions; ask: (runtime: Miniflare) => Keeper } {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const [database] = config.d1_databases;
  const worker: WorkerOptions = {
    config: {
      name: NAME,
      compatibilityDate: config.compatibility_date,
      compatibilityFlags: ['service_binding_extra_handlers'],
      manifest: { mainModule: 'keeper.js', modules: { 'keeper.js': { type: 'esm', contents: SCRIPT } } },
      triggers: [{ type: 'fetch', pattern: `${HOST}/*` }],
      env: {
        SECRET: { type: 'text', value: secret },
        PERISCOPE: { type: 'worker', worker: config.name },
        ...(database === undefined ? {} : { DB: { type: 'd1', id: database.database_id } }),
      },
    },
  };
  return { worker, ask: (runtime) => keeperBehind((body) => post(runtime, secret, body)) };
}

function keeperBehind(send: (body: object) => Promise<string[]>): Keeper {
  return {
    appliedMigrations: () => send({ work: 'applied' }),
    migrate: async (name, statements) => void (await send({ work: 'migrate', name, statements })),
    tidy: async (crons) => void (await send({ work: 'tidy', crons })),
  };
}

async function post(runtime: Miniflare, secret: string, body: object): Promise<string[]> {
  const response = await runtime.dispatchFetch(`http://${HOST}/`, {
    method: 'POST',
    headers: { authorization: secret },
    body: JSON.stringify(body),
  });
  const answer = answerSchema.parse(await response.json());
  if ('failed' in answer) throw new Error(answer.failed);
  return answer.done;
}
