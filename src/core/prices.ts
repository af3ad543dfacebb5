/**
 * A price of Workers Paid at {@link PRICES_AS_OF}: `dollars` for every `per` units above `included`. Source: `page`.
 */
type Price = { included: number; dollars: number; per: number; page: string };

export const PRICES_AS_OF = 'November 2026';
export const WORKERS_PLAN_DOLLARS = 5;

const WORKERS = 'https://developers.cloudflare.com/workers/platform/pricing/';
const OBJECTS = 'https://developers.cloudflare.com/durable-objects/platform/pricing/';
const D1 = 'https://developers.cloudflare.com/d1/platform/pricing/';
const KV = 'https://developers.cloudflare.com/kv/platform/pricing/';
const LOGS = 'https://developers.cloudflare.com/workers/observability/logs/workers-logs/';
const BROWSER = 'https://developers.cloudflare.com/browser-run/pricing/';

const MILLION = 1_000_000;

export const CLOUDFLARE_PRICES = {
  'Requests to the Worker': { included: 10 * MILLION, dollars: 0.3, per: MILLION, page: WORKERS },
  'CPU time, ms': { included: 30 * MILLION, dollars: 0.02, per: MILLION, page: WORKERS },
  'Requests to objects': { included: MILLION, dollars: 0.15, per: MILLION, page: OBJECTS },
  'Duration of objects, GB-s': { included: 400_000, dollars: 12.5, per: MILLION, page: OBJECTS },
  'Rows written by objects': { included: 50 * MILLION, dollars: 1, per: MILLION, page: OBJECTS },
  'Storage of objects, GB': { included: 5, dollars: 0.2, per: 1, page: OBJECTS },
  'Rows read in D1': { included: 25_000 * MILLION, dollars: 0.001, per: MILLION, page: D1 },
  'Rows written in D1': { included: 50 * MILLION, dollars: 1, per: MILLION, page: D1 },
  'Storage in D1, GB': { included: 5, dollars: 0.75, per: 1, page: D1 },
  'Reads in KV': { included: 10 * MILLION, dollars: 0.5, per: MILLION, page: KV },
  'Writes in KV': { included: MILLION, dollars: 5, per: MILLION, page: KV },
  'Log events': { included: 20 * MILLION, dollars: 0.6, per: MILLION, page: LOGS },
  'Browser hours': { included: 10, dollars: 0.09, per: 1, page: BROWSER },
  'Browsers at a time': { included: 10, dollars: 2, per: 1, page: BROWSER },
} as const satisfies Record<string, Price>;

/**
 * Upper bound of the usage of one call that opens a page for the first time. `test/unit/core/prices.test.ts` compares
 * it with measured calls.
 */
const OF_A_CALL: Partial<Record<keyof typeof CLOUDFLARE_PRICES, number>> = {
  'Requests to the Worker': 1,
  'CPU time, ms': 390,
  'Requests to objects': 5,
  'Rows written by objects': 12,
  'Rows read in D1': 30,
  'Rows written in D1': 23,
  'Reads in KV': 1,
};
const HOUR_MS = 3_600_000;

/** A rough upper bound of the cost in dollars. It ignores the usage that the plan includes. */
export function estimateDollars({ calls, browserMs }: { calls: number; browserMs: number }): number {
  const ofCall = Object.entries(OF_A_CALL).reduce((sum, [item, count]) => sum + count * unitPrice(item), 0);
  return calls * ofCall + (browserMs / HOUR_MS) * unitPrice('Browser hours');
}

function unitPrice(name: string): number {
  const price = Object.entries(CLOUDFLARE_PRICES).find(([item]) => item === name)?.[1];
  return price === undefined ? 0 : price.dollars / price.per;
}
