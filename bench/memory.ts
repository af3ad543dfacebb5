import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '#scripts/local/port.ts';
import { whilePinging } from './attack/pings.ts';
import { startRig } from './attack/rig.ts';
import type { Rig } from './attack/rig.ts';
import type { Answer, Caller } from './attack/wire.ts';
import { BODIES } from './memory/files.ts';
import type { Body } from './memory/files.ts';
import { meterHeap, peakOf, totalOf } from './memory/heap.ts';
import type { Held, HeapMeter } from './memory/heap.ts';
import { columns, summarise } from './spine/stats.ts';
import { htmlPage } from './spine/pages.ts';

/**
 * `npm run bench:memory [-- --only PATTERN --alone]`: memory of the Worker's isolate while three users read the largest
 * allowed pages and files, in workerd with its inspector. Each mix runs twice: once unchanged, once with a garbage
 * collection at each measurement, which shows the memory in use. It fails if that is more than an isolate may have.
 * `--alone` also measures a file of each kind alone. docs/testing.md says more.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, alone: { type: 'boolean', default: false } } });
const only = new RegExp(values.only ?? '');

/** An isolate has 128 MB. The rest is for the platform's own memory, and for garbage. */
const LIVE_BYTES_MAX = 100_000_000;
const IDLE_MS = 500;
const QUIET_LOOKS = 6;
const QUIET_BYTES = 1_000_000;
const SETTLE_MS_MAX = 60_000;
const LOOK_MS = 50;
/** A collection takes about this long. */
const COLLECT_MS = 150;
const SMALL_BYTES = 20_000;
const NOTHING_MS = 10_000;

const inspectorPort = await findFreePort();
const rig = await startRig(inspectorPort);
const meter = await meterHeap(inspectorPort, 'periscope');
let edition = 0;
try {
  serve(rig);
  // Loaded once: the extractors, and facts about the user.
  for (const name of Object.keys(BODIES)) await rig.ana.caller.call('open_url', { url: addressOf(name) });
  const rows = [
    [
      'mix',
      'idle MB',
      'live MB',
      'heap',
      'buffers',
      'unforced MB',
      'opened',
      'seconds',
      'ping p95 ms',
      'max',
      'small open p95 ms',
    ],
  ];
  let isOver = false;
  for (const [name, mix] of Object.entries({ ...(values.alone ? aloneMixes() : {}), ...MIXES() })) {
    if (!only.test(name)) continue;
    const row = await measured(mix);
    isOver ||= totalOf(row.live) > LIVE_BYTES_MAX;
    rows.push([name, ...row.cells]);
    console.log(columns([rows[0] ?? [], rows.at(-1) ?? []]));
  }
  console.log(`\n${columns(rows)}`);
  if (isOver) {
    console.log(`More than ${LIVE_BYTES_MAX / 1e6} MB were held.`);
    process.exitCode = 1;
  }
} finally {
  meter.close();
  await rig.close();
}

/** Calls that users make at the same time. Each returns how many pages it opened. */
type Mix = () => Promise<number>[];

function aloneMixes(): Record<string, Mix> {
  return Object.fromEntries(
    Object.keys(BODIES).map((name) => [
      `alone: ${name}`,
      () => [opened(rig.ana.caller, 'open_url', { url: addressOf(name) })],
    ]),
  );
}

function MIXES(): Record<string, Mix> {
  const { ana, bob, carla } = rig;
  const ten = (names: readonly string[]) =>
    Array.from({ length: 10 }, (_, at) => addressOf(names[at % names.length] ?? ''));
  const batch = (who: Caller, names: readonly string[], more = {}) =>
    opened(who, 'web_batch_open', { urls: ten(names), concurrency: 6, ...more });
  const pages = ['HTML 4.6 MB', 'HTML 4.6 MB, packed', 'HTML 4.6 MB, Greek', 'HTML 4.6 MB, one euro sign'];
  const office = ['DOCX 2 MB', 'XLSX 3 MB', 'PPTX 4 MB', 'ODT 4 MB', 'EPUB 4 MB'];
  const texts = ['Markdown 4.6 MB', 'text 4.6 MB', 'JSON 4.6 MB', 'CSV 4.6 MB'];
  const opens = (who: Caller, names: readonly string[]) => ten(names).map((url) => opened(who, 'open_url', { url }));
  const extracts = (who: Caller, count: number) =>
    Array.from({ length: count }, () => opened(who, 'web_extract', { html: htmlPage(4_600_000, (edition += 1)) }));
  return {
    // The baseline, without any call.
    nothing: () => [sleep(NOTHING_MS).then(() => 0)],
    'one page': () => [opened(ana.caller, 'web_open', { url: addressOf('HTML 4.6 MB') })],
    'ten pages, one batch': () => [batch(ana.caller, ['HTML 4.6 MB'])],
    'ten pages at once': () => opens(ana.caller, ['HTML 4.6 MB']),
    'ten PDFs, one batch': () => [batch(ana.caller, ['PDF 4.6 MB'])],
    'ten office files, one batch': () => [batch(ana.caller, office)],
    'ten texts, one batch': () => [batch(ana.caller, texts)],
    'six web_extract': () => extracts(ana.caller, 6),
    'three people, pages': () => [ana, bob, carla].map(({ caller }) => batch(caller, pages)),
    'three people, everything': () => [
      batch(ana.caller, pages),
      batch(bob.caller, ['PDF 4.6 MB', ...office]),
      ...opens(carla.caller, [...texts, ...pages, 'PDF 4.6 MB', 'ODT 4 MB']),
      ...extracts(carla.caller, 2),
    ],
    'three people, rendered': () =>
      [ana, bob, carla].map(({ caller }) =>
        opened(caller, 'web_batch_open', { urls: ten(['rendered 2.9 MB']), concurrency: 6, mode: 'rendered' }),
      ),
  };
}

type Measured = { live: Held; cells: string[] };

async function measured(mix: Mix): Promise<Measured> {
  const idle = await settled();
  const from = performance.now();
  const loose = await beside(meter.held, LOOK_MS, mix);
  const seconds = (performance.now() - from) / 1_000;
  await settled();
  const forced = await beside(meter.live, COLLECT_MS, mix);
  const live = forced.peak;
  const smalls = summarise(loose.smalls);
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  return {
    live,
    cells: [
      ...[totalOf(idle), totalOf(live), live.heap, live.buffers, totalOf(loose.peak)].map(mb),
      `${loose.pages} / ${forced.pages}`,
      seconds.toFixed(1),
      loose.p95.toFixed(0),
      loose.max.toFixed(0),
      smalls.p95.toFixed(0),
    ],
  };
}

/** Memory after all work has ended. A page that came too late for its call is also stored. */
async function settled(): Promise<Held> {
  const until = performance.now() + SETTLE_MS_MAX;
  let held = await meter.live();
  for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < until;) {
    await sleep(IDLE_MS);
    const now = await meter.live();
    quiet = totalOf(held) - totalOf(now) < QUIET_BYTES ? quiet + 1 : 0;
    held = now;
  }
  return held;
}

/** Runs the mix, with pings and small pages of another user at the same time. */
async function beside(look: HeapMeter['held'], everyMs: number, mix: Mix) {
  const smalls: number[] = [];
  const over = new AbortController();
  const { result, peak } = await peakOf(look, everyMs, async () => {
    const others = (async () => {
      while (!over.signal.aborted) {
        const from = performance.now();
        await opened(rig.local, 'open_url', { url: addressOf('small') });
        smalls.push(performance.now() - from);
        await sleep(100);
      }
    })();
    const { result: pages, waits } = await whilePinging(rig.local, async () => {
      const counts = await Promise.all(mix());
      over.abort();
      await others;
      return counts.reduce((sum, count) => sum + count, 0);
    });
    return { pages, waits };
  });
  return { peak, smalls, pages: result.pages, p95: result.waits.p95, max: result.waits.max };
}

/** The number of pages that a call opened. Reports those that it could not open. */
async function opened(who: Caller, name: string, args: Record<string, unknown>): Promise<number> {
  const answer: Answer = await who.call(name, args);
  if (name !== 'web_batch_open') {
    if (answer.isError || answer.isRefused) console.log(`${name}: ${answer.body.slice(0, 300)}`);
    return answer.isError || answer.isRefused ? 0 : 1;
  }
  const errors = answer.text.match(/^Error .*$/gm) ?? [];
  for (const error of new Set(errors)) console.log(`${name}: ${error}`);
  return Number(/^(\d+) of/.exec(answer.text)?.[1] ?? 0);
}

function addressOf(name: string): string {
  edition += 1;
  return `${rig.site.url}/${encodeURIComponent(name)}?edition=${edition}`;
}

function serve({ site }: Rig): void {
  const made = new Map<string, Body>();
  const CHEAP = /^HTML 4.6 MB(?:, one euro sign)?$/;
  for (const [name, make] of Object.entries({ ...BODIES, small: smallPage, 'rendered 2.9 MB': renderedPage })) {
    site.routes[`/${encodeURIComponent(name)}`] = (request, response) => {
      const number = Number(new URL(request.url ?? '/', site.url).searchParams.get('edition'));
      const body = CHEAP.test(name) || name === 'small' ? make(number) : (made.get(name) ?? make(1));
      made.set(name, body);
      const { type, bytes, isPacked } = body;
      // Node sends a content-length for a body that is written in one piece.
      response.writeHead(200, { 'content-type': type, ...(isPacked ? { 'content-encoding': 'gzip' } : {}) });
      response.end(bytes);
    };
  }
}

function smallPage(number: number): Body {
  return { type: 'text/html; charset=utf-8', bytes: Buffer.from(htmlPage(SMALL_BYTES, number)) };
}

function renderedPage(number: number): Body {
  return { type: 'text/html; charset=utf-8', bytes: Buffer.from(htmlPage(2_900_000, number)) };
}
