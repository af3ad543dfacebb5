import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchServer } from '#scripts/local/launch.ts';
import { startOrigin } from '#support/origin.ts';
import { ours, searxng } from './load/subjects.ts';
import type { Client, Kind, Subject } from './load/subjects.ts';
import { cpuReader } from './spine/cpu.ts';
import { randomFrom } from '#scripts/docs/scale/random.ts';
import { htmlPage } from './spine/pages.ts';
import { columns, summarise } from './spine/stats.ts';
import { record } from './record.ts';

/**
 * `npm run bench:load [-- SECONDS]`: the rate of many parallel clients of one user, over loopback HTTP with local
 * sites: one client and 64 with mixed calls, one and 32 that only scroll. A rival is measured as well if it is
 * installed (`npm ci` in `bench/rivals`). The two alternate, so that other work of the machine affects both. The ratios
 * and the server's CPU time per call can be compared between machines.
 */

const SECONDS = Number(process.argv[2] ?? 20);
const WARM_UP_SECONDS = 5;
/** Number of turns of each subject. */
const TURNS = 4;
const HOSTS = 20;
/** Number of different pages of clients; several clients share one. */
const OWN_PAGES = 8;
const PAGE_BYTES = 50_000;

const MIXED = '40 % scroll, 20 % stored, 20 % find, 20 % new';
const LOADS = [
  { name: MIXED, many: 64, kinds: ['scroll', 'scroll', 'stored', 'find', 'new'] },
  { name: 'scroll', many: 32, kinds: ['scroll'] },
] as const satisfies { name: string; many: number; kinds: readonly Kind[] }[];

let edition = 1_000;
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
const pageAt = (number: number) => `${origins[number % HOSTS]?.url ?? ''}/page?edition=${number}`;
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const server = await launchServer({
  home,
  settings: { ALLOWED_PRIVATE_HOSTS: origins.map(({ host }) => host).join(',') },
});
const readCpu = cpuReader();
const rival = await searxng().catch((error: unknown) => {
  console.error(`mcp-searxng is left out: ${String(error).split('\n')[0] ?? ''}`);
  return null;
});
const subjects = [ours(server), ...(rival === null ? [] : [rival])];

try {
  const rows = [['calls', 'clients', 'server', 'made', 'p50', 'p95', 'max', 'cpu', 'calls/s', 'refused']];
  const ratios: string[] = [];
  for (const subject of subjects) await load(subject, 4, LOADS[0].kinds, WARM_UP_SECONDS);
  for (const { name, many, kinds } of LOADS) {
    for (const clients of [1, many]) {
      const results = await byTurns(clients, kinds);
      for (const { subject, all } of results) rows.push([name, String(clients), subject, ...figures(all)]);
      recordLoad(`load-${name === MIXED ? 'mixed' : name}-${clients}`, results);
      ratios.push(...results.slice(1).map(({ subject, all }) => ratio(name, clients, subject, results[0]?.all, all)));
    }
  }
  console.log(columns(rows));
  console.log(`\n${ratios.join('\n')}`);
} finally {
  await Promise.all(subjects.map((subject) => subject.close()));
  await Promise.all(origins.map((origin) => origin.close()));
  rmSync(home, { recursive: true, force: true });
}

type Load = { latencies: number[]; refused: number; seconds: number; cpu: number };

async function byTurns(clients: number, kinds: readonly Kind[]): Promise<{ subject: string; all: Load }[]> {
  const results = subjects.map((subject) => ({ subject, turns: new Array<Load>() }));
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const { subject, turns } of results) turns.push(await load(subject, clients, kinds, SECONDS / TURNS));
  }
  return results.map(({ subject, turns }) => ({ subject: subject.name, all: together(turns) }));
}

function together(turns: readonly Load[]): Load {
  const sum = (of: (turn: Load) => number) => turns.reduce((total, turn) => total + of(turn), 0);
  return {
    latencies: turns.flatMap(({ latencies }) => latencies),
    refused: sum(({ refused }) => refused),
    seconds: sum(({ seconds }) => seconds),
    cpu: sum(({ cpu }) => cpu),
  };
}

function figures({ latencies, cpu, seconds, refused }: Load): string[] {
  const { count, p50, p95, max } = summarise(latencies);
  const numbers = [p50, p95, max, cpu / count, count / seconds].map((figure) => figure.toFixed(1));
  return [String(count), ...numbers, String(refused)];
}

/** Calls per second, as a multiple of the rival's. */
function recordLoad(row: string, [own, other]: readonly { subject: string; all: Load }[]): void {
  if (own === undefined || other === undefined) return;
  const rate = ({ latencies, seconds }: Load) => latencies.length / seconds;
  record({
    row,
    n: own.all.latencies.length,
    value: (rate(own.all) / rate(other.all)).toFixed(2),
    others: { [other.subject]: '1' },
  });
}

function ratio(name: string, clients: number, subject: string, own: Load | undefined, other: Load): string {
  if (own === undefined) return '';
  const [a, b] = [summarise(own.latencies), summarise(other.latencies)];
  const rates = own.latencies.length / own.seconds / (other.latencies.length / other.seconds);
  const shown = [rates, a.p50 / b.p50, a.p95 / b.p95].map((figure) => figure.toFixed(2));
  return `periscope / ${subject}, ${clients} × ${name}: calls/s ${shown[0]}, p50 ${shown[1]}, p95 ${shown[2]}`;
}

/** Runs `count` clients, each of which has a page and makes one call after the other. */
async function load(subject: Subject, count: number, kinds: readonly Kind[], seconds: number): Promise<Load> {
  const next = () => pageAt((edition += 1));
  const clients: { client: Client; random: () => number }[] = [];
  for (let number = 0; number < count; number += 1) {
    clients.push({ client: await subject.connect(pageAt(number % OWN_PAGES), next), random: randomFrom(number) });
  }
  const latencies: number[] = [];
  let refused = 0;
  const cpuBefore = readCpu?.() ?? 0;
  const from = performance.now();
  const end = from + 1_000 * seconds;
  const work = async ({ client, random }: (typeof clients)[number]) => {
    while (performance.now() < end) {
      const kind = kinds[Math.floor(random() * kinds.length)] ?? 'scroll';
      const before = performance.now();
      try {
        await client.call(kind, random);
        latencies.push(performance.now() - before);
      } catch (error) {
        if (refused === 0) console.error(error);
        refused += 1;
      }
    }
  };
  await Promise.all(clients.map(work));
  const took = (performance.now() - from) / 1_000;
  const cpu = (readCpu?.() ?? 0) - cpuBefore;
  for (const { client } of clients) client.close();
  return { latencies, refused, seconds: took, cpu };
}
