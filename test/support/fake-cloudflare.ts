import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

/**
 * A fake of Cloudflare's API for `npm run deploy`, on a loopback port, used by the real Wrangler. Databases are real
 * SQLite, so migrations really run. Answers follow the API's published answers and error codes.
 */
export type FakeAccount = {
  accounts: { id: string; name: string }[];
  /** The account's subdomain of workers.dev; `null` until it has one. */
  subdomain: string | null;
  plan: 'paid' | 'free';
  databases: { name: string; uuid: string; location?: string }[];
  stores: { id: string; title: string }[];
  /** Balance of the AI Gateway, in dollars. */
  credits: number;
  /** `null` while there is no Worker. */
  worker: DeployedWorker | null;
  /** `METHOD path` of every request, in order. */
  calls: string[];
  /** The `authorization` of every request, in order. */
  tokens: string[];
  /** Permissions of the token, as the dashboard names them; `null` means all. */
  permissions: string[] | null;
  /**
   * Requests whose `METHOD path` matches get this failure. `cut` closes the connection of the n-th request instead,
   * before or after it is carried out. `since`: only once the requests so far, including this one, satisfy it.
   */
  failing:
    | { request: RegExp; status: number; code: number; message: string; since?: (calls: readonly string[]) => boolean }
    | { request: RegExp; cut: true }
    | { nth: number; cut: 'before' | 'after' }
    | null;
};

export type DeployedWorker = {
  secrets: Record<string, string>;
  vars: Record<string, string>;
  /** The metadata of the last upload. */
  metadata: Metadata;
  workersDev: boolean;
  domains: string[];
  schedules: string[];
  /** Ids of deployed versions, the latest first. */
  deployments: string[];
};

const metadataSchema = z.looseObject({
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() })),
  keep_bindings: z.array(z.string()).optional(),
  limits: z.object({ cpu_ms: z.number() }).optional(),
  migrations: z.object({ new_tag: z.string() }).optional(),
});
type Metadata = z.infer<typeof metadataSchema>;

const SCRIPT = '/workers/scripts/periscope';
/** Permissions for each path, from "Accepted Permissions" in the API reference. Any of them may list the accounts. */
const PERMISSIONS = [
  [/^\/accounts\/\w+\/d1\//u, 'D1: Edit'],
  [/^\/accounts\/\w+\/storage\/kv\//u, 'Workers KV Storage: Edit'],
  [/^\/accounts\/\w+\/(?:workers|workflows)\//u, 'Workers Scripts: Edit'],
  [/^\/accounts\/\w+\/ai-gateway\//u, 'AI Gateway: Read'],
] as const;
const ACCOUNT = 'a'.repeat(32);

export async function fakeCloudflare(start: Partial<FakeAccount> = {}) {
  const account: FakeAccount = {
    accounts: [{ id: ACCOUNT, name: 'Acme' }],
    subdomain: 'acme',
    plan: 'paid',
    databases: [{ name: 'somebody-elses', uuid: '00000000-0000-4000-8000-000000000001' }],
    stores: [],
    credits: 0,
    worker: null,
    calls: [],
    tokens: [],
    permissions: null,
    failing: null,
    ...start,
  };
  const files = new Map<string, DatabaseSync>();
  /** Uploaded versions. A separate request deploys one. */
  const versions = new Map<string, Metadata>();
  const workflows = new Map<string, Record<string, string | undefined>>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', 'http://api');
    const path = url.pathname.replace('/client/v4', '');
    account.calls.push(`${request.method} ${path}`);
    account.tokens.push(request.headers.authorization ?? '');
    const { failing } = account;
    const isNth = failing !== null && 'nth' in failing && account.calls.length === failing.nth;
    if (isNth && failing.cut === 'before') return void request.socket.destroy();
    const since = failing !== null && 'since' in failing ? failing.since : undefined;
    const isDue = since?.(account.calls) ?? true;
    if (isDue && failing !== null && 'request' in failing && failing.request.test(`${request.method} ${path}`)) {
      if ('cut' in failing) return void request.socket.destroy();
      return send(response, failing.status, failure(failing.code, failing.message));
    }
    const needed = PERMISSIONS.find(([paths]) => paths.test(path))?.[1];
    if (needed !== undefined && account.permissions?.includes(needed) === false)
      return send(response, 403, failure(10000, 'Authentication error'));
    // Wrangler asks for more pages until one is empty; here everything is on the first.
    const isPast = Number(url.searchParams.get('page') ?? 1) > 1;
    const said = isPast
      ? list([])
      : await route(request.method ?? 'GET', path, body, request.headers['content-type'] ?? '');
    if (isNth) return void request.socket.destroy();
    send(response, said.status, said.body);
  }

  async function route(method: string, path: string, body: Buffer, type: string): Promise<Said> {
    const inAccount = /^\/accounts\/(\w+)(\/.*)$/u.exec(path);
    if (inAccount === null) return ofUser(path);
    if (!account.accounts.some(({ id }) => id === inAccount[1])) return no(403, 10000, 'Authentication error');
    const rest = inAccount[2] ?? '';
    if (rest === '/ai-gateway/billing/credit-balance') {
      return yes({ balance: account.credits, has_default_payment_method: account.credits > 0 });
    }
    return (
      ofDatabases(method, rest, body) ??
      ofStores(method, rest, body) ??
      ofWorkflows(method, rest, body) ??
      (await ofWorker(method, rest, body, type)) ??
      no(404, 10007, `not here: ${method} ${path}`)
    );
  }

  function ofUser(path: string): Said {
    if (path === '/user') return yes({ id: 'u'.repeat(32), email: 'owner@acme.dev' });
    if (path === '/user/tokens/verify') return yes({ id: 't'.repeat(32), status: 'active' });
    if (path === '/memberships') return list(account.accounts.map((one) => ({ id: one.id, account: one })));
    if (path === '/accounts') return list(account.accounts);
    return no(404, 7003, `not here: ${path}`);
  }

  function ofDatabases(method: string, path: string, body: Buffer): Said | null {
    if (path === '/d1/database' && method === 'GET') return list(account.databases);
    if (path === '/d1/database') {
      const { name, primary_location_hint: location } = JSON.parse(body.toString()) as Record<string, string>;
      const made = {
        name: name ?? '',
        uuid: '11111111-2222-4333-8444-555555555555',
        ...(location === undefined ? {} : { location }),
      };
      account.databases.push(made);
      return yes(made);
    }
    if (/^\/d1\/database\/[\w-]+\/time_travel\/bookmark$/u.test(path)) return yes({ bookmark: '00000007-of-tests' });
    const one = /^\/d1\/database\/([\w-]+)(\/query)?$/u.exec(path);
    if (one === null) return null;
    const found = account.databases.find(({ uuid, name }) => uuid === one[1] || name === one[1]);
    if (found === undefined) return no(404, 7404, 'The database could not be found');
    if (one[2] === undefined) return yes(found);
    return query(found.uuid, JSON.parse(body.toString()) as { sql: string });
  }

  function query(id: string, { sql }: { sql: string }): Said {
    const database = files.get(id) ?? new DatabaseSync(':memory:');
    files.set(id, database);
    try {
      return yes([
        { results: run(database, sql), success: true, meta: { duration: 1, rows_read: 1, rows_written: 1 } },
      ]);
    } catch (error) {
      return no(400, 7500, error instanceof Error ? error.message : 'unknown');
    }
  }

  function ofStores(method: string, path: string, body: Buffer): Said | null {
    if (path !== '/storage/kv/namespaces') return null;
    if (method === 'GET') return list(account.stores);
    const { title } = JSON.parse(body.toString()) as { title: string };
    const made = { title, id: 'abcdefabcdefabcdefabcdefabcdefab' };
    account.stores.push(made);
    return yes(made);
  }

  function ofWorkflows(method: string, path: string, body: Buffer): Said | null {
    const name = /^\/workflows\/([\w-]+)$/u.exec(path)?.[1];
    if (name === undefined) return null;
    if (method === 'GET') return workflows.has(name) ? yes(workflows.get(name)) : no(404, 10200, 'workflow not found');
    if (account.worker === null) return no(404, 10090, 'This Worker does not exist on your account.');
    const { script_name: script, class_name: className } = JSON.parse(body.toString()) as Record<string, string>;
    workflows.set(name, { id: 'f'.repeat(32), name, script_name: script, class_name: className });
    return yes(workflows.get(name));
  }

  async function ofWorker(method: string, path: string, body: Buffer, type: string): Promise<Said | null> {
    const { worker } = account;
    if (path === '/workers/subdomain') {
      if (account.subdomain !== null) return yes({ subdomain: account.subdomain });
      return no(404, 10007, 'You do not have a workers.dev subdomain registered.');
    }
    if (path === SCRIPT && method === 'PUT') {
      const metadata = await readForm(body, type);
      return refusal(metadata) ?? yes({ ...DEPLOYED, deployment_id: deployVersion(metadata).replaceAll('-', '') });
    }
    if (!path.startsWith('/workers/')) return null;
    if (path === '/workers/domains')
      return list((worker?.domains ?? []).map((hostname) => ({ id: hostname, hostname, service: 'periscope' })));
    if (worker === null) return no(404, 10090, 'This Worker does not exist on your account.');
    if (path === '/workers/services/periscope')
      return yes({
        default_environment: {
          script: { last_deployed_from: 'wrangler', tag: 'a-tag', migration_tag: worker.metadata.migrations?.new_tag },
        },
      });
    if (path === '/workers/workers/periscope')
      return yes({ subdomain: { enabled: worker.workersDev, previews_enabled: false } });
    if (path === `${SCRIPT}/secrets`)
      return list(Object.keys(worker.secrets).map((name) => ({ name, type: 'secret_text' })));
    if (path === `${SCRIPT}/settings`) return yes({ bindings: [] });
    if (path === `${SCRIPT}/versions`) {
      const metadata = await readForm(body, type);
      const id = crypto.randomUUID();
      versions.set(id, metadata);
      return refusal(metadata) ?? yes({ ...DEPLOYED, id, resources: { script: { etag: 'e' } } });
    }
    return ofDeployed(worker, method, path, body);
  }

  function ofDeployed(worker: DeployedWorker, method: string, path: string, body: Buffer): Said | null {
    if (method === 'GET') {
      if (path === `${SCRIPT}/deployments`) return yes({ deployments: worker.deployments.map(deployment) });
      if (path === `${SCRIPT}/subdomain`) return yes({ enabled: worker.workersDev, previews_enabled: false });
      if (path === `${SCRIPT}/schedules`) return yes({ schedules: worker.schedules.map((cron) => ({ cron })) });
      return null;
    }
    const given: unknown = body.length === 0 ? {} : JSON.parse(body.toString());
    if (path === `${SCRIPT}/subdomain`) {
      worker.workersDev = shape(z.object({ enabled: z.boolean() }), given).enabled;
      return yes(given);
    }
    if (path === `${SCRIPT}/schedules`) {
      worker.schedules = shape(z.array(z.object({ cron: z.string() })), given).map(({ cron }) => cron);
      return yes({ schedules: given });
    }
    if (path === `${SCRIPT}/deployments`) {
      const [one] = shape(z.object({ versions: z.array(z.object({ version_id: z.string() })) }), given).versions;
      const metadata = versions.get(one?.version_id ?? '');
      if (one === undefined || metadata === undefined) return no(404, 10007, 'There is no such version.');
      deployVersion(metadata, one.version_id);
      return yes(deployment(one.version_id));
    }
    if (path === `${SCRIPT}/script-settings`) return yes(given);
    if (path === `${SCRIPT}/domains/changeset`) return yes({ added: [], removed: [], updated: [], conflicting: [] });
    if (path === `${SCRIPT}/domains/records`) {
      const { origins } = shape(z.object({ origins: z.array(z.object({ hostname: z.string() })) }), given);
      worker.domains = origins.map(({ hostname }) => hostname);
      return yes({});
    }
    return null;
  }

  function refusal(metadata: Metadata): Said | null {
    if (account.plan !== 'free' || metadata.limits?.cpu_ms === undefined) return null;
    return no(400, 100328, 'CPU limits are not supported for the Free plan.');
  }

  /** @returns its id */
  function deployVersion(metadata: Metadata, id: string = crypto.randomUUID()): string {
    const of = (kind: string) =>
      Object.fromEntries(
        metadata.bindings.flatMap(({ type, name, text }) => (type === kind ? [[name, text ?? '']] : [])),
      );
    const none = { secrets: {}, vars: {}, workersDev: false, domains: [], schedules: [], deployments: [] };
    const before = account.worker ?? none;
    account.worker = {
      ...before,
      secrets: { ...before.secrets, ...of('secret_text') },
      vars: { ...(metadata.keep_bindings?.includes('plain_text') === true ? before.vars : {}), ...of('plain_text') },
      // A version without migrations keeps the current tag.
      metadata: { ...metadata, migrations: metadata.migrations ?? account.worker?.metadata.migrations },
      deployments: [id, ...before.deployments],
    };
    return id;
  }

  function migrations(): string[] {
    const id = account.databases.find(({ name }) => name === 'periscope')?.uuid ?? '';
    const rows = files.get(id)?.prepare('SELECT name FROM d1_migrations ORDER BY id').all() ?? [];
    return rows.map(({ name }) => String(name));
  }

  return { account, migrations, url: `http://127.0.0.1:${port}/client/v4`, close: () => void server.close() };
}

async function readForm(body: Buffer, type: string): Promise<Metadata> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const metadata = form.get('metadata');
  return shape(
    metadataSchema,
    JSON.parse(typeof metadata === 'string' ? metadata : await (metadata as unknown as Blob).text()),
  );
}

function shape<T>(schema: z.ZodType<T>, value: unknown): T {
  return schema.parse(value);
}

/** A batch is carried out as a whole or not at all, as in D1. */
function run(database: DatabaseSync, sql: string): unknown[] {
  if (/^\s*(?:select|pragma)\b/iu.test(sql)) return database.prepare(sql).all();
  database.exec(`BEGIN; ${sql}\n; COMMIT`);
  return [];
}

const DEPLOYED = { id: 'periscope', etag: 'e', startup_time_ms: 5 };

function deployment(id: string): object {
  const versions = [{ version_id: id, percentage: 100 }];
  return { id, versions, source: 'wrangler', strategy: 'percentage', author_email: 'owner@acme.dev', created_on: MADE };
}

const MADE = '2026-01-01T00:00:00.000Z';

type Said = { status: number; body: unknown };

function yes(result: unknown, more: object = {}): Said {
  return { status: 200, body: { success: true, errors: [], messages: [], result, ...more } };
}
/** A complete list as a single page. */
function list(items: readonly unknown[]): Said {
  const { length: count } = items;
  return yes(items, { result_info: { page: 1, per_page: 1_000, count, total_count: count, total_pages: 1 } });
}
function failure(code: number, message: string): unknown {
  return { success: false, errors: [{ code, message }], messages: [], result: null };
}
function no(status: number, code: number, message: string): Said {
  return { status, body: failure(code, message) };
}
function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
