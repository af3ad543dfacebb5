import { PLATFORM_BROWSERS_MAX } from '#core/limits.ts';

/** A limit of Workers Paid, from the page of Cloudflare in {@link LIMITS_OF}. */
export type PlatformLimit = { what: string; is: number; unit: string; page: string };

export const LIMITS_OF = 'November 2026';

const DOCS = 'https://developers.cloudflare.com';
const D1 = `${DOCS}/d1/platform/limits/`;
const OBJECTS = `${DOCS}/durable-objects/platform/limits/`;
/** The limits before 2026-08-20 were 120 browsers and one start per second; older copies of the page still say so. */
const BROWSER = `${DOCS}/changelog/post/2026-08-20-limits-increase/`;
const WORKERS = `${DOCS}/workers/platform/limits/`;
const KV = `${DOCS}/kv/platform/limits/`;
const R2 = `${DOCS}/r2/platform/limits/`;
const WORKFLOWS = `${DOCS}/workflows/reference/limits/`;
const LOGS = `${DOCS}/workers/observability/logs/workers-logs/`;

export const LIMITS = {
  d1Bytes: { what: 'Size of one D1 database', is: 10_000_000_000, unit: 'bytes', page: D1 },
  d1BusyMs: { what: 'Work of one D1 database: one statement at a time', is: 1_000, unit: 'ms a second', page: D1 },
  d1Queries: { what: 'D1 queries of one invocation', is: 1_000, unit: 'queries', page: D1 },
  d1Databases: { what: 'D1 databases that a Worker can bind, about', is: 5_000, unit: 'databases', page: D1 },
  objectRequests: { what: 'Requests to one object, about', is: 1_000, unit: 'a second', page: OBJECTS },
  objectBytes: { what: 'Storage of one object', is: 10_000_000_000, unit: 'bytes', page: OBJECTS },
  browsers: { what: 'Browsers at a time', is: PLATFORM_BROWSERS_MAX, unit: 'an account', page: BROWSER },
  browserStarts: { what: 'Browsers started', is: 3, unit: 'a second', page: BROWSER },
  memory: { what: 'Memory of an isolate', is: 128_000_000, unit: 'bytes', page: WORKERS },
  subrequests: { what: 'Subrequests of one request', is: 10_000, unit: 'requests', page: WORKERS },
  connections: { what: 'Connections that a request waits for at a time', is: 6, unit: 'connections', page: WORKERS },
  kvWrites: { what: 'Writes to one key of KV', is: 1, unit: 'a second', page: KV },
  r2Writes: { what: 'Writes to one object of R2', is: 1, unit: 'a second', page: R2 },
  workflows: { what: 'Workflow instances at a time', is: 50_000, unit: 'an account', page: WORKFLOWS },
  workflowStarts: { what: 'Instances of one workflow begun', is: 100, unit: 'a second', page: WORKFLOWS },
  logs: { what: 'Log events', is: 5_000_000_000, unit: 'a day', page: LOGS },
} as const satisfies Record<string, PlatformLimit>;
