import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';
import type { StartWrangler } from '#scripts/deploy/wrangler.ts';

/**
 * Replaces Wrangler in a deploy, because starting it takes a second or two. It sends Cloudflare the same requests in
 * the same order, and fails at the one that is refused. `deploy.test.ts` compares the two.
 */
export const scriptedWrangler: StartWrangler = async (args, env, shown) => {
  const config = argument(args, '--config');
  const toml = tomlSchema.parse(parse(readFileSync(config, 'utf8')));
  try {
    const account = `/accounts/${env['CLOUDFLARE_ACCOUNT_ID'] ?? ''}`;
    if (args[0] === 'd1') await migrate(account, toml, dirname(config));
    else await deployWorker(account, toml, args, env);
    return { code: 0, stdout: '', stderr: '' };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (shown) process.stderr.write(error.message);
    return { code: 1, stdout: '', stderr: error.message };
  }
};

class Refused extends Error {}

const tomlSchema = z.object({
  workers_dev: z.boolean(),
  routes: z.array(z.object({ pattern: z.string() })).default([]),
  limits: z.object({ cpu_ms: z.number() }).optional(),
  vars: z.record(z.string(), z.string()).default({}),
  d1_databases: z.array(z.object({ database_id: z.string() })).default([]),
  migrations: z.array(z.object({ tag: z.string() })).default([]),
  triggers: z.object({ crons: z.array(z.string()) }).optional(),
  workflows: z.array(z.object({ name: z.string(), class_name: z.string() })).default([]),
  ai: z.object({ binding: z.string() }).optional(),
});
type Toml = z.infer<typeof tomlSchema>;

const LIST = 'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)';
const appliedSchema = z.tuple([z.object({ results: z.array(z.object({ name: z.string() })) })]);

async function migrate(account: string, { d1_databases: [database] }: Toml, project: string): Promise<void> {
  const query = (sql: string) => ask('POST', `${account}/d1/database/${database?.database_id}/query`, { sql });
  await query(LIST);
  const [{ results }] = appliedSchema.parse(await query('SELECT name FROM d1_migrations ORDER BY id'));
  const applied = new Set(results.map(({ name }) => name));
  const folder = join(project, 'migrations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.has(name));
  for (const name of files.toSorted()) {
    const sql = readFileSync(join(folder, name), 'utf8');
    await query(`${sql}\n; INSERT INTO d1_migrations (name) VALUES ('${name}');`);
  }
}

const serviceSchema = z.object({
  default_environment: z.object({ script: z.object({ migration_tag: z.string().optional() }) }),
});
const versionSchema = z.object({ id: z.string() });
const subdomainSchema = z.object({ subdomain: z.string() });

async function deployWorker(account: string, toml: Toml, args: string[], env: Record<string, string>): Promise<void> {
  const service = `${account}/workers/services/periscope`;
  const script = `${account}/workers/scripts/periscope`;
  const deployed = await askOrNone('GET', service);
  const secretsFile = args.includes('--secrets-file') ? argument(args, '--secrets-file') : null;
  if (secretsFile !== null) await ask('GET', `${script}/secrets`);
  for (const { name } of toml.workflows) await askOrNone('GET', `${account}/workflows/${name}`);
  await askOrNone('GET', `${script}/deployments`);
  if (secretsFile !== null) await ask('GET', service);
  await askOrNone('GET', `${script}/settings`);

  const parsed = deployed === null ? null : serviceSchema.parse(deployed);
  const tag = toml.migrations.at(-1)?.tag;
  const isNewTag = tag !== undefined && parsed?.default_environment.script.migration_tag !== tag;
  const metadata = {
    bindings: bindings(toml, args, secretsFile),
    ...(args.includes('--keep-vars') ? { keep_bindings: ['plain_text'] } : {}),
    ...(toml.limits === undefined ? {} : { limits: toml.limits }),
    ...(isNewTag ? { migrations: { new_tag: tag } } : {}),
  };
  const form = new FormData();
  form.set('metadata', JSON.stringify(metadata));
  // Only an upload creates or changes classes. Without such a change, a version is uploaded and then deployed.
  if (deployed === null || isNewTag) {
    await ask('PUT', script, form);
  } else {
    const { id } = versionSchema.parse(await ask('POST', `${script}/versions`, form));
    await ask('POST', `${script}/deployments`, { versions: [{ version_id: id, percentage: 100 }] });
    await ask('PATCH', `${script}/script-settings`, {});
  }
  await setTriggers(account, script, toml, env['WRANGLER_OUTPUT_FILE_PATH']);
}

async function setTriggers(account: string, script: string, toml: Toml, report: string | undefined): Promise<void> {
  await ask('GET', `${account}/workers/workers/periscope`);
  const targets = toml.routes.map(({ pattern }) => `${pattern} (custom domain)`);
  if (toml.workers_dev) {
    const { subdomain } = subdomainSchema.parse(await ask('GET', `${account}/workers/subdomain`));
    targets.push(`https://periscope.${subdomain}.workers.dev`);
  }
  await ask('POST', `${script}/subdomain`, { enabled: toml.workers_dev });
  // Wrangler asks for it when there are workflows and no workers.dev address.
  if (!toml.workers_dev && toml.workflows.length > 0) await askOrNone('GET', `${account}/workers/subdomain`);
  if (toml.routes.length > 0) await ask('POST', `${script}/domains/changeset`, {});
  // Wrangler sets these without a further request.
  const origins = toml.routes.map(({ pattern }) => ({ hostname: pattern }));
  const set = await Promise.allSettled([
    ...(toml.triggers === undefined
      ? []
      : [
          ask(
            'PUT',
            `${script}/schedules`,
            toml.triggers.crons.map((cron) => ({ cron })),
          ),
        ]),
    ...toml.workflows.map(({ name, class_name }) =>
      ask('PUT', `${account}/workflows/${name}`, { script_name: 'periscope', class_name }),
    ),
    ...(origins.length === 0 ? [] : [ask('PUT', `${script}/domains/records`, { origins })]),
  ]);
  for (const result of set) if (result.status === 'rejected') throw result.reason;
  if (report !== undefined) appendFileSync(report, `${JSON.stringify({ type: 'deploy', targets })}\n`);
}

const secretsSchema = z.record(z.string(), z.string());

function bindings(toml: Toml, args: string[], secretsFile: string | null): object[] {
  const secrets = secretsFile === null ? {} : secretsSchema.parse(JSON.parse(readFileSync(secretsFile, 'utf8')));
  const vars = args.flatMap((arg, index) => (args[index - 1] === '--var' ? [arg] : []));
  const given = vars.map((text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)]);
  return [
    ...Object.entries({ ...toml.vars, ...Object.fromEntries(given) }).map(([name, text]) => ({
      type: 'plain_text',
      name,
      text,
    })),
    ...Object.entries(secrets).map(([name, text]) => ({ type: 'secret_text', name, text })),
    ...(toml.ai === undefined ? [] : [{ type: 'ai', name: toml.ai.binding }]),
  ];
}

const answerSchema = z.object({
  result: z.unknown(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })),
});

/** @throws {Refused} with Wrangler's words */
async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${process.env['CLOUDFLARE_API_BASE_URL']}${path}`, {
    method,
    headers: { authorization: `Bearer ${process.env['CLOUDFLARE_API_TOKEN']}` },
    body: body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body),
  });
  const { result, errors } = answerSchema.parse(await response.json());
  if (response.ok) return result;
  const said = errors.map(({ code, message }) => `  ${message} [code: ${code}]`).join('\n');
  throw new Refused(`A request to the Cloudflare API (${path}) failed.\n\n${said}\n`);
}

const NONE = /\[code: (?:10007|10090|10200)\]/u;

/** `null` if there is no such Worker. */
async function askOrNone(method: string, path: string): Promise<unknown> {
  try {
    return await ask(method, path);
  } catch (error) {
    if (error instanceof Refused && NONE.test(error.message)) return null;
    throw error;
  }
}

function argument(args: readonly string[], name: string): string {
  const value = args[args.indexOf(name) + 1];
  if (value === undefined) throw new TypeError(`${name} is missing`);
  return value;
}
