import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLS } from '#scripts/docs/measured-calls.ts';
import { launchServer } from '#scripts/local/launch.ts';
import { startOrigin } from '#support/origin.ts';
import { weighBundle } from './bundle.ts';
import { cpuReader } from './spine/cpu.ts';
import { randomFrom } from '#scripts/docs/scale/random.ts';
import { htmlPage, markdownPage, NEEDLE } from './spine/pages.ts';
import { RpcClient } from './spine/rpc.ts';
import { columns, measure, summarise } from './spine/stats.ts';
import type { Cost, Series, Summary } from './spine/stats.ts';
import { readStore } from './spine/store.ts';
import { record } from './record.ts';
import { tokenWeights } from './tokens.ts';

/**
 * `npm run bench [-- --quick]`: costs of the Worker, measured from outside over loopback HTTP with a local page server
 * and a temporary data folder: latencies of the reader tools on small, middling and large pages, calls per second with
 * many clients, size of the bundle, tokens of the tool list. Prints them and writes `bench/results/`.
 *
 * Milliseconds depend on the machine. The ratios at the end can be compared between machines.
 */

const quick = process.argv.includes('--quick');
/** Time limit of each group of series. */
const UNCACHED_MS = quick ? 7_000 : 40_000;
const READING_MS = quick ? 4_000 : 40_000;
const FINDING_MS = quick ? 4_000 : 40_000;
const LOAD_MS = quick ? 2_000 : 12_000;
const WARM_UP_MS = quick ? 1_500 : 5_000;
const READING_CALLS = 300;
const FINDING_CALLS = 80;
const CLIENTS = 32;

const PAGES = [
  { name: '10 KB', path: '/small', make: htmlPage, bytes: 10_000, opens: quick ? 20 : 100 },
  { name: '200 KB', path: '/middling', make: htmlPage, bytes: 200_000, opens: quick ? 10 : 60 },
  // The default of MAX_BYTES is 5,000,000.
  { name: '5 MB', path: '/large', make: htmlPage, bytes: 4_990_000, opens: quick ? 3 : 12 },
  { name: '5 MB Markdown', path: '/markdown', make: markdownPage, bytes: 4_990_000, opens: quick ? 3 : 12 },
] as const;
const REGEX = String.raw`\bamber\s+\w+ern\b`;
const HOSTILE_REGEX = '(a+)+$';

type PageName = (typeof PAGES)[number]['name'];
type RowName = { page: PageName | '–'; call: string };
type Row = RowName & Summary & Cost;
type Load = { clients: number; callsPerSecond: number; errors: number } & Summary & Cost;

const started = performance.now();
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const origin = await startOrigin(
  Object.fromEntries(
    PAGES.map(({ path, make, bytes }) => [
      path,
      (request, response) => {
        const edition = Number(new URL(request.url ?? '/', 'http://origin').searchParams.get('edition') ?? 0);
        const type = make === markdownPage ? 'text/markdown' : 'text/html';
        response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(make(bytes, edition));
      },
    ]),
  ),
);
const server = await launchServer({ home, settings: { ALLOWED_PRIVATE_HOSTS: origin.host } });
const client = new RpcClient(server);
const readCpu = cpuReader();

try {
  const rows = await measureCalls();
  const load = [await measureLoad(1), await measureLoad(CLIENTS)];
  client.close();
  await server.stop();
  await report(rows, load);
} finally {
  client.close();
  await server.stop();
  await origin.close();
  rmSync(home, { recursive: true, force: true });
}

async function measureCalls(): Promise<Row[]> {
  await warmUp();
  const uncached = PAGES.map(({ name, path, opens }) => ({
    name: { page: name, call: 'open_url uncached' },
    count: opens,
    step: (index: number) => open(path, index + 1),
  }));
  const opened = await measure<RowName>(uncached, UNCACHED_MS, readCpu);
  const reading: Series<RowName>[] = [
    { name: { page: '–', call: 'GET /healthz' }, count: READING_CALLS, step: () => client.get('/healthz') },
    { name: { page: '–', call: 'tools/list' }, count: READING_CALLS, step: () => client.post('tools/list', {}) },
  ];
  const finding: Series<RowName>[] = [];
  for (const { name: page, path } of PAGES) {
    const { cursor, lines } = await open(path, 1);
    const random = randomFrom(1);
    const scroll = () => client.callTool('scroll', { cursor, loc: Math.floor(random() * lines) });
    const find = (pattern: string, isRegex: boolean) => () =>
      client.callTool('find', { cursor, pattern, is_regex: isRegex });
    reading.push(
      { name: { page, call: 'open_url cached' }, count: READING_CALLS, step: () => open(path, 1) },
      { name: { page, call: 'scroll' }, count: READING_CALLS, step: scroll },
    );
    finding.push(
      { name: { page, call: 'find literal' }, count: FINDING_CALLS, step: find(NEEDLE, false) },
      { name: { page, call: 'find regex' }, count: FINDING_CALLS, step: find(REGEX, true) },
      { name: { page, call: `find ${HOSTILE_REGEX}` }, count: FINDING_CALLS, step: find(HOSTILE_REGEX, true) },
    );
  }
  const rows = [
    ...opened,
    ...(await measure(reading, READING_MS, readCpu)),
    ...(await measure(finding, FINDING_MS, readCpu)),
  ];
  const pages: RowName['page'][] = ['–', ...PAGES.map(({ name }) => name)];
  return pages.flatMap((page) => rows.filter((row) => row.page === page));
}

/** Makes every kind of call for a while, so that no figure includes loading or compiling. */
async function warmUp(): Promise<void> {
  const end = performance.now() + WARM_UP_MS;
  for (let edition = 90_000; performance.now() < end; edition += 1) {
    for (const path of ['/small', '/middling', '/markdown']) {
      const { cursor } = await open(path, path === '/markdown' ? 90_000 : edition);
      await client.callTool('scroll', { cursor, delta: 20 });
      await client.callTool('find', { cursor, pattern: NEEDLE });
      await client.callTool('find', { cursor, pattern: REGEX, is_regex: true });
    }
  }
}

async function open(path: string, edition: number, by: RpcClient = client): Promise<{ cursor: string; lines: number }> {
  const { structuredContent, content } = await by.callTool('open_url', {
    url: `${origin.url}${path}?edition=${edition}`,
  });
  const lines = Number(/^Lines \d+–\d+ of (\d+)/m.exec(content[0]?.text ?? '')?.[1]);
  if (!(lines > 0)) throw new Error('The answer of open_url does not say how many lines there are.');
  return { cursor: structuredContent.cursor, lines };
}

/** Half scrolls, a quarter finds, a quarter opens of stored pages, each as soon as the previous call has ended. */
async function measureLoad(count: number): Promise<Load> {
  const clients = Array.from({ length: count }, () => new RpcClient(server));
  const jobs = await Promise.all(
    clients.map(async (one, number) => ({ one, random: randomFrom(number), ...(await open('/middling', 1, one)) })),
  );
  const latencies: number[] = [];
  let errors = 0;
  const cpuBefore = readCpu?.() ?? 0;
  const from = performance.now();
  await Promise.all(
    jobs.map(async ({ one, random, cursor, lines }) => {
      while (performance.now() < from + LOAD_MS) {
        const kind = random();
        const before = performance.now();
        try {
          if (kind < 0.5) await one.callTool('scroll', { cursor, loc: Math.floor(random() * lines) });
          else if (kind < 0.75) await one.callTool('find', { cursor, pattern: NEEDLE });
          else await open('/middling', 1, one);
          latencies.push(performance.now() - before);
        } catch (error) {
          errors += 1;
          if (errors === 1) console.error(error);
        }
      }
    }),
  );
  const seconds = (performance.now() - from) / 1_000;
  for (const one of clients) one.close();
  const cpu = readCpu === null ? null : (readCpu() - cpuBefore) / latencies.length;
  const callsPerSecond = Math.round(latencies.length / seconds);
  return { clients: count, callsPerSecond, errors, cpu, ...summarise(latencies) };
}

async function report(rows: readonly Row[], load: readonly Load[]): Promise<void> {
  const bundle = weighBundle();
  const tokens = await tokenWeights();
  const store = readStore(home);
  const ratios = ratiosOf(rows, load);
  recordCachedOpen(rows);
  const ms = ({ count, p50, p95, max }: Summary) => [String(count), p50.toFixed(1), p95.toFixed(1), max.toFixed(1)];

  print('Milliseconds; cpu is what the server computes for one call on average', [
    ['page', 'call', 'calls', 'p50', 'p95', 'max', 'cpu'],
    ...rows.map((row) => [row.page, row.call, ...ms(row), row.cpu?.toFixed(1) ?? '–']),
  ]);
  print('Load', [
    ['clients', 'mix', 'calls', 'p50', 'p95', 'max', 'cpu', 'calls/s', 'errors'],
    ...load.map((one) => [
      String(one.clients),
      'scroll, find, cached open',
      ...ms(one),
      one.cpu?.toFixed(1) ?? '–',
      String(one.callsPerSecond),
      String(one.errors),
    ]),
  ]);
  print('Stored', [
    ['page', 'body', 'lines', 'text bytes', 'chunks', 'extraction ms'],
    ...PAGES.map(({ name, path, bytes }) => {
      const page = store.pages.find(({ url }) => url.startsWith(`${origin.url}${path}?`));
      return [name, ...[bytes, page?.lines, page?.bytes, page?.chunks, page?.extractMs].map(String)];
    }),
  ]);
  console.log(`\nDatabase: ${store.fileBytes} bytes for ${store.textBytes} bytes of text.`);
  console.log(`\nBundle: ${bundle.bytes} bytes, ${bundle.gzipBytes} gzipped; largest parts:`);
  console.log(
    `  ${bundle.parts
      .slice(0, 6)
      .map(({ name, bytes }) => `${name} ${bytes}`)
      .join(', ')}`,
  );
  print('Tokens of tools/list (o200k)', [
    ['of', 'tools', 'model sees', 'whole JSON'],
    ...tokens.map(({ of, tools, model, whole }) => [of, String(tools), String(model), String(whole)]),
  ]);
  print('Asked of the platform by one call, as test/browser/costs.test.ts counts it', [
    ['call', 'objects', 'D1 trips', 'rows read', 'rows written', 'KV reads'],
    ...Object.entries(CALLS).map(([name, { objectRequests, d1Trips, rowsRead, rowsWritten, kvReads }]) => [
      name,
      ...[objectRequests, d1Trips, rowsRead, rowsWritten, kvReads].map(String),
    ]),
  ]);
  print('Ratios', [['ratio', 'value'], ...Object.entries(ratios).map(([name, value]) => [name, value.toFixed(2)])]);

  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const machine = { cpu: cpus()[0]?.model, cpus: cpus().length, node: process.version, platform: process.platform };
  const at = new Date().toISOString();
  const file = join(folder, `spine-${quick ? 'quick-' : ''}${at.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ at, quick, machine, rows, load, store, bundle, tokens, calls: CALLS, ratios }, null, 2)}\n`,
  );
  console.log(`\n${((performance.now() - started) / 1_000).toFixed(0)} s; written to bench/results/.`);
}

function recordCachedOpen(rows: readonly Row[]): void {
  const of = (call: string) => rows.find((row) => row.page === '200 KB' && row.call === call);
  const [cached, uncached] = [of('open_url cached'), of('open_url uncached')];
  if (cached === undefined || uncached === undefined) return;
  record({ row: 'cached-open', n: uncached.count, value: (cached.p50 / uncached.p50).toFixed(3).replace(/^0/, '') });
}

function ratiosOf(rows: readonly Row[], load: readonly Load[]): Record<string, number> {
  const p50 = (page: Row['page'], call: string) =>
    rows.find((row) => row.page === page && row.call === call)?.p50 ?? Number.NaN;
  const cpu = (page: Row['page'], call: string) =>
    rows.find((row) => row.page === page && row.call === call)?.cpu ?? Number.NaN;
  const over = (call: string, page: PageName, base: PageName) => p50(page, call) / p50(base, call);
  const [alone, together] = load;
  return {
    'scroll 5 MB / scroll 10 KB': over('scroll', '5 MB', '10 KB'),
    'scroll 5 MB Markdown / scroll 10 KB': over('scroll', '5 MB Markdown', '10 KB'),
    'cached open 5 MB Markdown / cached open 10 KB': over('open_url cached', '5 MB Markdown', '10 KB'),
    'find literal 5 MB Markdown / 200 KB': over('find literal', '5 MB Markdown', '200 KB'),
    'find regex 5 MB Markdown / 200 KB': over('find regex', '5 MB Markdown', '200 KB'),
    [`find ${HOSTILE_REGEX} / find regex, 5 MB Markdown`]:
      p50('5 MB Markdown', `find ${HOSTILE_REGEX}`) / p50('5 MB Markdown', 'find regex'),
    'uncached open 5 MB / 200 KB': over('open_url uncached', '5 MB', '200 KB'),
    'uncached open 5 MB Markdown / 200 KB': over('open_url uncached', '5 MB Markdown', '200 KB'),
    ...Object.fromEntries(
      PAGES.map(({ name }) => [
        `cached open / uncached open, ${name}`,
        p50(name, 'open_url cached') / p50(name, 'open_url uncached'),
      ]),
    ),
    'cpu, scroll 5 MB Markdown / scroll 10 KB': cpu('5 MB Markdown', 'scroll') / cpu('10 KB', 'scroll'),
    'cpu, uncached open 5 MB / 200 KB': cpu('5 MB', 'open_url uncached') / cpu('200 KB', 'open_url uncached'),
    'scroll 10 KB / tools/list': p50('10 KB', 'scroll') / p50('–', 'tools/list'),
    [`calls per second, ${CLIENTS} clients / 1 client`]: (together?.callsPerSecond ?? 0) / (alone?.callsPerSecond ?? 0),
  };
}

function print(heading: string, table: string[][]): void {
  console.log(`\n${heading}\n${columns(table)}`);
}
