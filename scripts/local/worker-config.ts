import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { StopError } from './stop-error.ts';

/**
 * The parts of `wrangler.toml` that `npm start` and `npm run deploy` need, read strictly: an unsupported kind of
 * binding stops the start instead of being missing when a call needs it.
 */
const schema = z.strictObject({
  name: z.string(),
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  vars: z.record(z.string(), z.string()).default({}),
  d1_databases: z.array(z.object({ binding: z.string(), database_id: z.string() })).length(1),
  kv_namespaces: z.array(z.object({ binding: z.string(), id: z.string() })).default([]),
  browser: z.object({ binding: z.string() }).optional(),
  durable_objects: z.object({ bindings: z.array(z.strictObject({ name: z.string(), class_name: z.string() })) }),
  workflows: z.array(z.strictObject({ name: z.string(), binding: z.string(), class_name: z.string() })).default([]),
  migrations: z.array(z.strictObject({ tag: z.string(), new_sqlite_classes: z.array(z.string()) })),
  triggers: z.object({ crons: z.array(z.string()).default([]) }).default({ crons: [] }),
  limits: z.object({ cpu_ms: z.number().optional() }).default({}),
  // Settings that only the platform or Wrangler uses.
  workers_dev: z.unknown().optional(),
  preview_urls: z.unknown().optional(),
  send_metrics: z.unknown().optional(),
  observability: z.unknown().optional(),
  placement: z.unknown().optional(),
  build: z.unknown().optional(),
  minify: z.unknown().optional(),
  rules: z.unknown().optional(),
  dev: z.unknown().optional(),
});

export type WorkerConfig = z.output<typeof schema>;

/** @throws {StopError} if the file cannot be read, or needs what `npm start` does not support */
export function readWorkerConfig(file: string): WorkerConfig {
  const read = schema.safeParse(readToml(file));
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new StopError(`wrangler.toml cannot be used here (${problems.join('; ')}).`);
}

function readToml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StopError(`wrangler.toml cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
