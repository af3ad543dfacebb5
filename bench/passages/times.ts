import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchServer } from '#scripts/local/launch.ts';
import { startOrigin } from '#support/origin.ts';
import { cpuReader } from '../spine/cpu.ts';
import { NEEDLE, htmlPage } from '../spine/pages.ts';
import { RpcClient } from '../spine/rpc.ts';
import { columns, measure } from '../spine/stats.ts';

const PAGE_BYTES = 100_000;
const PAGES = 10;
/** The number of pages that `find_passages` opens at the same time. */
const CONCURRENCY = 6;
const ROUNDS = 20;
const WARM_ROUNDS = 60;
const BUDGET_MS = 60_000;
const ORIGIN_DELAY_MS = 50;
const QUESTION = `Where was the ${NEEDLE} left when the keeper of the harbour repaired the engine?`;
const PHRASINGS = [
  `the ${NEEDLE} was left in the harbour office`,
  'keeper repaired the engine of the harbour boat',
  'where the keeper of the harbour puts lost things',
  'lost and found at the harbour after the repair',
];

/**
 * Ten pages of 100 KB, cold and warm, through `find_passages` and through the batch, one at a time; warm, also with
 * four other phrasings of the question.
 */
export async function measureTimes(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
  const origin = await startOrigin({
    '/page': (request, response) => {
      const edition = Number(new URL(request.url ?? '/', 'http://origin').searchParams.get('edition') ?? 0);
      // Ten different texts, each with a new title every time.
      const body = htmlPage(PAGE_BYTES - (edition % PAGES), edition);
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body),
        ORIGIN_DELAY_MS,
      );
    },
  });
  const server = await launchServer({
    home,
    settings: {
      ALLOWED_PRIVATE_HOSTS: origin.host,
      BUDGET_CALLS_PER_MINUTE: '100000',
      BUDGET_CALLS_PER_DAY: '1000000',
    },
  });
  const client = new RpcClient(server);
  const urls = (first: number) => Array.from({ length: PAGES }, (_, n) => `${origin.url}/page?edition=${first + n}`);
  const batch = (first: number) =>
    client.callTool('web_batch_open', { urls: urls(first), mode: 'auto', concurrency: CONCURRENCY });
  const passages = (first: number, also: readonly string[] = []) =>
    client.callTool('find_passages', { question: QUESTION, urls: urls(first), ...(also.length === 0 ? {} : { also }) });
  try {
    // Loads modules before the measurement.
    await batch(900_000);
    await passages(0);
    await passages(0, PHRASINGS);
    const readCpu = cpuReader();
    const cold = [
      { name: { call: 'batch, cold' }, count: ROUNDS, step: (n: number) => batch(1_000 + n * PAGES) },
      { name: { call: 'passages, cold' }, count: ROUNDS, step: (n: number) => passages(100_000 + n * PAGES) },
    ];
    const warm = [
      { name: { call: 'batch, warm' }, count: WARM_ROUNDS, step: () => batch(0) },
      { name: { call: 'passages, warm' }, count: WARM_ROUNDS, step: () => passages(0) },
      { name: { call: 'with phrasings, warm' }, count: WARM_ROUNDS, step: () => passages(0, PHRASINGS) },
    ];
    const rows = [...(await measure(cold, BUDGET_MS, readCpu)), ...(await measure(warm, BUDGET_MS, readCpu))];
    console.log(
      `${PAGES} pages of ${PAGE_BYTES / 1_000} KB, an origin that takes ${ORIGIN_DELAY_MS} ms; milliseconds\n`,
    );
    console.log(
      columns([
        ['call', 'calls', 'p50', 'p95', 'max', 'cpu'],
        ...rows.map(({ call, count, p50, p95, max, cpu }) => [call, ...[count, p50, p95, max, cpu ?? '–'].map(String)]),
      ]),
    );
    const [batchCold, passagesCold, batchWarm, passagesWarm] = rows.map(({ p50 }) => p50);
    const ratio = (a = NaN, b = NaN) => (a / b).toFixed(2);
    console.log(`\npassages / batch: cold ${ratio(passagesCold, batchCold)}, warm ${ratio(passagesWarm, batchWarm)}`);
    const [alone, withPhrasings] = rows.slice(-2).map(({ cpu }) => cpu ?? NaN);
    console.log(`CPU with four phrasings / alone, warm: ${ratio(withPhrasings, alone)}`);
  } finally {
    client.close();
    await server.stop();
    await origin.close();
    rmSync(home, { recursive: true, force: true });
  }
}
