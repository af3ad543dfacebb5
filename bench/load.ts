import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchServer } from '#scripts/local/launch.ts';
import { startOrigin } from '#support/origin.ts';
import { cpuReader } from './spine/cpu.ts';
import { htmlPage, NEEDLE, randomFrom } from './spine/pages.ts';
import { RpcClient } from './spine/rpc.ts';
import { columns, summarise } from './spine/stats.ts';

/**
 * `npm run bench:load [-- SECONDS]`: what many clients of one person get at the same time, over loopback HTTP from sites of
 * its own: one client and 64 with mixed calls, one and 32 that only scroll. Calls a second beside those of one client, and
 * CPU of the server a call, can be compared between machines.
 */

const SECONDS = Number(process.argv[2] ?? 20);
const WARM_UP_SECONDS = 5;
const HOSTS = 20;
const PAGE_BYTES = 50_000;

type Client = { rpc: RpcClient; random: () => number; cursor: string; lines: number };
type Call = (client: Client) => Promise<unknown>;

let edition = 1;
const origins = await Promise.all(
  Array.from({ length: HOSTS }, () =>
    startOrigin({
      '/page': (request, response) => {
        const number = Number(new URL(request.url ?? '/', 'http://origin').searchParams.get('edition'));
        response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage(PAGE_BYTES, number));
      },
    }),
  ),
);
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const server = await launchServer({
  home,
  settings: { ALLOWED_PRIVATE_HOSTS: origins.map(({ host }) => host).join(',') },
});
const readCpu = cpuReader();

const open = (rpc: RpcClient, number: number) =>
  rpc.callTool('open_url', { url: `${origins[number % HOSTS]?.url ?? ''}/page?edition=${number}` });
const scroll: Call = ({ rpc, cursor, lines, random }) =>
  rpc.callTool('scroll', { cursor, loc: Math.floor(random() * lines) });
const mixed: Call = (client) => {
  const kind = client.random();
  if (kind < 0.4) return scroll(client);
  if (kind < 0.6) return open(client.rpc, 0);
  if (kind < 0.8) return client.rpc.callTool('find', { cursor: client.cursor, pattern: NEEDLE });
  return open(client.rpc, (edition += 1));
};

try {
  await load(4, mixed, WARM_UP_SECONDS);
  const rows = [['calls', 'clients', 'made', 'p50', 'p95', 'max', 'cpu', 'calls/s', 'beside one', 'refused']];
  for (const [name, call, many] of [
    ['40 % scroll, 20 % stored, 20 % find, 20 % new', mixed, 64],
    ['scroll', scroll, 32],
  ] as const) {
    const alone = await load(1, call, SECONDS / 2);
    rows.push([name, '1', ...figures(alone), '1.0', String(alone.refused)]);
    const crowd = await load(many, call, SECONDS);
    rows.push([name, String(many), ...figures(crowd), (crowd.rate / alone.rate).toFixed(1), String(crowd.refused)]);
  }
  console.log(columns(rows));
} finally {
  await server.stop();
  await Promise.all(origins.map((origin) => origin.close()));
  rmSync(home, { recursive: true, force: true });
}

function figures({ latencies, cpu, rate }: Awaited<ReturnType<typeof load>>): string[] {
  const { count, p50, p95, max } = summarise(latencies);
  return [String(count), ...[p50, p95, max, cpu, rate].map((figure) => figure.toFixed(1))];
}

/** As many clients as there are, each with a page of its own, make one call after the other. */
async function load(count: number, call: Call, seconds: number) {
  const clients: Client[] = [];
  for (let number = 0; number < count; number += 1) {
    const rpc = new RpcClient(server);
    const { structuredContent, content } = await open(rpc, number % 8);
    const lines = Number(/^Lines \d+–\d+ of (\d+)/m.exec(content[0]?.text ?? '')?.[1]);
    clients.push({ rpc, random: randomFrom(number), cursor: structuredContent.cursor, lines });
  }
  const latencies: number[] = [];
  let refused = 0;
  const cpuBefore = readCpu?.() ?? 0;
  const from = performance.now();
  const end = from + 1_000 * seconds;
  const work = async (client: Client) => {
    while (performance.now() < end) {
      const before = performance.now();
      try {
        await call(client);
        latencies.push(performance.now() - before);
      } catch (error) {
        if (refused === 0) console.error(error);
        refused += 1;
      }
    }
  };
  await Promise.all(clients.map(work));
  const rate = (1_000 * latencies.length) / (performance.now() - from);
  const cpu = ((readCpu?.() ?? 0) - cpuBefore) / latencies.length;
  for (const { rpc } of clients) rpc.close();
  return { latencies, refused, rate, cpu };
}
