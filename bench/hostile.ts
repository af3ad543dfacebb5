/**
 * Measures what the pages and files that are worst for extraction cost. Usage:
 *   node bench/hostile.ts [NAME]          CPU and heap of each, or of those whose name holds NAME; growth from 500 kB to 5 MB
 *                                         and the longest stretch of CPU in which nobody else gets in. "+" is CPU of the
 *                                         threads on which V8 compiles and collects garbage
 *   node bench/hostile.ts --growth [NAME] CPU of what once took more than time in proportion to its size, and of its neighbours, at
 *                                         three sizes; fails where twice as much takes more than three times as long
 *   node bench/hostile.ts --memory [NAME] each in a process of its own whose heap may not pass 100 MB
 * Nothing should need a second of CPU, or half of one at a stretch. Real pages are read from ../shared/bench beside the project, where there are any.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PeriscopeError } from '#core/failures/failure.ts';
import { ALL_BODY_KINDS } from '#core/document/kinds.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { extract } from '#extract/extract.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import { makeDocx, makeEpub, wordParagraph } from '#support/make-archive.ts';
import { makePdf } from '#support/make-pdf.ts';
import { FILES } from './hostile/files.ts';
import type { File } from './hostile/files.ts';
import { measureGrowing } from './hostile/growth.ts';
import { HTML, MARKDOWN } from './hostile/pages.ts';

const SECOND_MS = 1_000;
const STRETCH_MS = 500;
const HEAP_MB = 100;
const REAL_PAGES = resolve(import.meta.dirname, '../../shared/bench/pages');

/** Loads the modules of each kind first, as a Worker does only once. */
const WARM_UP: readonly (readonly [BodyKind, () => Uint8Array | string])[] = [
  ['html', () => '<p>warm up, some text.</p>'.repeat(2_000)],
  ['markdown', () => 'Some text. And more.\n\n'.repeat(2_000)],
  ['pdf', () => makePdf([{ texts: [{ x: 60, y: 700, text: 'warm up' }] }])],
  ['docx', () => makeDocx(wordParagraph('warm up'))],
  ['epub', () => makeEpub({ chapters: ['<p>warm up</p>'] })],
];

/**
 * `ms`: CPU of the thread that runs a Worker's code. `othersMs`: of the threads on which V8 compiles and collects
 * garbage meanwhile; it is high here, because each input starts with cold code. `stretch`: the longest time without a
 * pause for other requests.
 */
type Cost = { ms: number; othersMs: number; stretch: number; heap: number; outcome: string };

/** Garbage of one input must not count for the next one. */
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const inputs: readonly (readonly [string, File])[] = [
  ...Object.entries(HTML).map(([name, make]) => [name, { kind: 'html', make }] as const),
  ...Object.entries(MARKDOWN).map(([name, make]) => [`Markdown: ${name}`, { kind: 'markdown', make }] as const),
  ...Object.entries(FILES),
].filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)));

if (process.argv.includes('--child')) await measureAlone();
else if (process.argv.includes('--memory')) measureMemory();
else if (process.argv.includes('--growth')) await checkGrowth();
else {
  await measureTimes();
  if (words.length === 0) {
    await measureGrowth();
    await checkGrowth();
  }
}

async function checkGrowth(): Promise<void> {
  const tooMuch = await measureGrowing(words, collectGarbage);
  for (const name of tooMuch) console.error(`Grows too much: ${name}`);
  if (tooMuch.length > 0) process.exitCode = 1;
}

async function measureTimes(): Promise<void> {
  for (const [kind, body] of WARM_UP) await run(kind, body());
  const over: string[] = [];
  const overWithOthers: string[] = [];
  const long: string[] = [];
  for (const [name, { kind, make }] of inputs) {
    const body = make();
    const { ms, othersMs, stretch, heap, outcome } = await run(kind, body);
    if (ms > SECOND_MS) over.push(name);
    if (ms + othersMs > SECOND_MS) overWithOthers.push(name);
    if (stretch > STRETCH_MS) long.push(name);
    const [own, others] = [ms.toFixed(0).padStart(6), othersMs.toFixed(0).padStart(4)];
    const times = `${own} +${others} ms, ${stretch.toFixed(0).padStart(4)} at a stretch`;
    console.log(row(name, body, `${times} ${heap.toFixed(0).padStart(5)} MB  ${outcome}`));
  }
  const listed = (names: readonly string[]) => names.map((name) => `\n  ${name}`).join('');
  console.log(`${over.length} of ${inputs.length} over the second of CPU${listed(over)}`);
  console.log(`${overWithOthers.length} of ${inputs.length} over it with V8's own threads${listed(overWithOthers)}`);
  console.log(`${long.length} of ${inputs.length} over half a second at a stretch${listed(long)}`);
}

function row(name: string, body: Uint8Array | string, figures: string): string {
  return `${name.padEnd(44)} ${(body.length / 1_000).toFixed(0).padStart(6)} kB ${figures}`;
}

/** Reads the same page, and the same mix of real pages, at 500 kB and at ten times that size. */
async function measureGrowth(): Promise<void> {
  const part =
    '<section><h2>Part</h2><p>Some <b>bold</b> text of a page, with <a href="/x">links</a> in it. And more of it, to fill a line or two, as pages do when they have something to say.</p><ul><li>One item</li><li>Another item</li></ul></section>';
  await growth('synthetic', (size) => `<main>${part.repeat(Math.floor(size / part.length))}</main>`);
  if (!existsSync(REAL_PAGES)) return;
  const pages = readdirSync(REAL_PAGES).map((name) =>
    gunzipSync(readFileSync(join(REAL_PAGES, name))).toString('utf8'),
  );
  await growth('real pages', (size) => {
    let all = '';
    for (const page of pages) if (all.length < size) all += page.replace(/<\/?(?:html|body)\b[^>]*>/gi, '');
    return all.slice(0, size);
  });
}

async function growth(name: string, make: (size: number) => string): Promise<void> {
  const times: number[] = [];
  for (const size of [500_000, 5_000_000]) {
    const page = make(size);
    await run('html', page);
    times.push((await run('html', page)).ms);
  }
  const [small = 1, large = 0] = times;
  console.log(
    `${name}: 500 kB ${small.toFixed(0)} ms, 5 MB ${large.toFixed(0)} ms: ${(large / small).toFixed(1)} times`,
  );
}

/** Runs in another process, because making an input takes memory. */
function measureMemory(): void {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const path = join(folder, 'body');
  let over = 0;
  for (const [name, { kind, make }] of inputs) {
    const body = make();
    writeFileSync(path, body);
    const form = typeof body === 'string' ? 'text' : 'bytes';
    const done = spawnSync(
      process.execPath,
      [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=4', import.meta.filename, '--child', kind, form, path],
      { encoding: 'utf8' },
    );
    const isOver = done.status !== 0;
    if (isOver) over += 1;
    console.log(row(name, body, isOver ? `did not fit into a heap of ${HEAP_MB} MB` : done.stdout.trim()));
  }
  rmSync(folder, { recursive: true });
  console.log(`${over} of ${inputs.length} did not fit into a heap of ${HEAP_MB} MB`);
}

/** Includes the input's own bytes, which a Worker holds, but not the memory that Node takes before. */
async function measureAlone(): Promise<void> {
  const [name, form = '', path = ''] = words;
  const kind = ALL_BODY_KINDS.find((one) => one === name) ?? 'text';
  const before = process.memoryUsage().rss / 1e6;
  const body = form === 'text' ? readFileSync(path, 'utf8') : new Uint8Array(readFileSync(path));
  const { outcome } = await run(kind, body);
  const most = process.resourceUsage().maxRSS / 1_000;
  console.log(
    `${Math.max(0, most - before)
      .toFixed(0)
      .padStart(6)} MB at most  ${outcome}`,
  );
}

async function run(kind: BodyKind, body: Uint8Array | string): Promise<Cost> {
  const text = typeof body === 'string' ? body : '';
  const bytes = typeof body === 'string' ? new Uint8Array() : body;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const all = process.cpuUsage();
  const own = process.threadCpuUsage();
  let last = 0;
  let stretch = 0;
  const spent = () => inMs(process.threadCpuUsage(own));
  const pause = async () => {
    stretch = Math.max(stretch, spent() - last);
    last = spent();
  };
  const outcome = await outcomeOf({ kind, text, bytes, url: 'https://docs.example/a/b', mode: 'readable', pause });
  await pause();
  const othersMs = Math.max(inMs(process.cpuUsage(all)) - last, 0);
  return { ms: last, othersMs, stretch, heap: (process.memoryUsage().heapUsed - before) / 1e6, outcome };
}

function inMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

async function outcomeOf(input: ExtractInput): Promise<string> {
  try {
    const { lines, cuts } = await extract(input);
    return cuts.length === 0 ? `${lines.length} lines` : `${lines.length} lines, cut`;
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    return 'refused';
  }
}
