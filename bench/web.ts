import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchServer } from '#scripts/local/launch.ts';
import { startOrigin } from '#support/origin.ts';
import { cpuReader } from './spine/cpu.ts';
import { htmlPage } from './spine/pages.ts';
import { RpcClient } from './spine/rpc.ts';
import { columns, measure, summarise } from './spine/stats.ts';

/**
 * `npm run bench:web`: compares batches of ten pages, cold and cached, with ten single opens of the same size; and many
 * clients that want one page at the same moment. Counts the requests at the origin.
 */

const PAGE_BYTES = 30_000;
const BATCH = 10;
const ROUNDS = 20;
const BUDGET_MS = 40_000;
const CLIENTS = 16;
const ORIGIN_DELAY_MS = 50;

const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const origin = await startOrigin({
  '/page': (request, response) => {
    const edition = Number(new URL(request.url ?? '/', 'http://origin').searchParams.get('edition') ?? 0);
    const answer = () =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(htmlPage(PAGE_BYTES, edition));
    setTimeout(answer, ORIGIN_DELAY_MS);
  },
});
const server = await launchServer({ home, settings: { ALLOWED_PRIVATE_HOSTS: origin.host } });
const client = new RpcClient(server);

try {
  await openBatch(900_000);
  await openOne(910_000);
  const cold = {
    name: { call: `web_batch_open of ${BATCH}, cold` },
    count: ROUNDS,
    step: (n: number) => openBatch(n * BATCH),
  };
  const cached = { name: { call: `web_batch_open of ${BATCH}, cached` }, count: ROUNDS, step: () => openBatch(0) };
  const single = { name: { call: 'web_open, cold' }, count: ROUNDS, step: (n: number) => openOne(500_000 + n) };
  const rows = await measure([cold, cached, single], BUDGET_MS, cpuReader());
  const together = await concurrentOpens();
  console.log(`${BATCH} pages of ${PAGE_BYTES / 1000} KB, an origin that takes ${ORIGIN_DELAY_MS} ms; milliseconds\n`);
  console.log(
    columns([
      ['call', 'calls', 'p50', 'p95', 'max', 'cpu'],
      ...rows.map(({ call, count, p50, p95, max, cpu }) => [call, ...[count, p50, p95, max, cpu ?? '–'].map(String)]),
    ]),
  );
  const [batchCold, batchCached, oneCold] = rows.map((row) => row.p50);
  const ratio = (a = Number.NaN, b = Number.NaN) => (a / b).toFixed(2);
  console.log(`\nbatch cold / ${BATCH} single opens   ${ratio(batchCold, (oneCold ?? Number.NaN) * BATCH)}`);
  console.log(`batch cached / batch cold      ${ratio(batchCached, batchCold)}`);
  console.log(
    `\n${CLIENTS} clients open one new page at once: ${together.requests} request(s) to the origin, p50 ${together.p50} ms, max ${together.max} ms`,
  );
} finally {
  client.close();
  await server.stop();
  await origin.close();
  rmSync(home, { recursive: true, force: true });
}

function openBatch(first: number): Promise<unknown> {
  const urls = Array.from({ length: BATCH }, (_, n) => urlOf(first + n));
  return client.callTool('web_batch_open', { urls, mode: 'readable' });
}

function openOne(edition: number): Promise<unknown> {
  return client.callTool('web_open', { url: urlOf(edition), mode: 'readable' });
}

async function concurrentOpens() {
  const clients = Array.from({ length: CLIENTS }, () => new RpcClient(server));
  const before = origin.requests.length;
  const latencies = await Promise.all(
    clients.map(async (one) => {
      const from = performance.now();
      await one.callTool('web_open', { url: urlOf(999_999), mode: 'readable' });
      return performance.now() - from;
    }),
  );
  for (const one of clients) one.close();
  return { requests: origin.requests.length - before, ...summarise(latencies) };
}

function urlOf(edition: number): string {
  return `${origin.url}/page?edition=${edition}`;
}
