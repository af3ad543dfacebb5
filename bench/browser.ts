import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BROWSER_VIEWPORT } from '#core/limits.ts';
import { launchServer } from '#scripts/local/launch.ts';
import { startBrowserSite } from '#support/browser-site.ts';
import { benchChromium } from './browser/chromium.ts';
import { tokens, ToolError } from './browser/meter.ts';
import { serveSaved } from './browser/pages.ts';
import { chromeDevtools, ours, playwright } from './browser/subjects.ts';
import type { Answer, Call, Subject } from './browser/subjects.ts';
import { TASKS } from './browser/tasks.ts';
import { columns, summarise } from './spine/stats.ts';
import { record } from './record.ts';

/**
 * `npm run bench:browser [-- FOLDER]`: compares the browser tools with those of `@playwright/mcp` and
 * `chrome-devtools-mcp`, which are installed in `bench/rivals`: the same pages, the same Chromium, one call of each at
 * a time, on this machine. FOLDER has saved pages, of which the twelve largest are used. `--tasks` leaves out the
 * views; `--pages own` and `--pages saved` run only the views of these pages.
 */

const ROUNDS = 5;
const SAVED_PAGES = 12;
const REASON_CHARS = 300;
/** Pause before each call. A model takes longer to read an answer, and a server's work in that time does not count. */
const PAUSE_MS = 150;
const OWN_PAGES = ['/booking', '/app/orders', '/rows', '/frames', '/shadow', '/feed', '/notes'];

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { tasks: { type: 'boolean' }, pages: { type: 'string' } },
});
const folder = positionals[0] ?? join(import.meta.dirname, '../../shared/bench/pages');
const path = benchChromium();
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const site = await startBrowserSite();
const saved = await serveSaved(folder, SAVED_PAGES);
const hosts = [site.host, site.otherHost, ...(saved === null ? [] : [saved.host])];
const settings = { ALLOWED_PRIVATE_HOSTS: hosts.join(','), CHROMIUM_PATH: path, BUDGET_CALLS_PER_MINUTE: '100000' };
const server = await launchServer({ home, settings });
const browser = { path, viewport: BROWSER_VIEWPORT };
const subjects: Subject[] = [await ours(server), await playwright(browser), await chromeDevtools(browser)];

try {
  console.log(`Chromium: ${path}, a viewport of ${BROWSER_VIEWPORT.width} × ${BROWSER_VIEWPORT.height}.`);
  for (const { name, given } of subjects) console.log(`${name}: ${given}`);
  console.log(`Rounds: ${ROUNDS} after one that is not counted; ${PAUSE_MS} ms between calls.`);
  if (options.pages === undefined) await compareTasks();
  if (options.tasks !== true) await compareAllLooking();
  console.log(`\nHTTP floor of npm start (GET /healthz): ${(await floor()).toFixed(1)} ms`);
} finally {
  for (const subject of subjects) await subject.close();
  await server.stop();
  await site.close();
  await saved?.close();
  rmSync(home, { recursive: true, force: true });
}

async function compareAllLooking(): Promise<void> {
  if (options.pages !== 'saved') {
    const own = await compareLooking(
      'Pages of our own',
      OWN_PAGES.map((page) => site.url + page),
    );
    recordRow(
      'views-own-tokens',
      OWN_PAGES.length,
      own.map(({ firstTokens }) => firstTokens),
    );
  }
  if (saved === null || options.pages === 'own') return;
  const heavy = await compareLooking(
    `${saved.paths.length} saved pages`,
    saved.paths.map((page) => saved.url + page),
  );
  recordRow(
    'views-saved-tokens',
    saved.paths.length,
    heavy.map(({ allTokens }) => allTokens),
  );
  const times = heavy.map(({ snapshotMs }) => snapshotMs);
  const fastest = Math.min(...times.slice(1));
  recordRow(
    'views-saved-time',
    saved.paths.length,
    times.map((ms) => ms / fastest),
    2,
  );
}

type Look = {
  navigateMs: number[];
  navigateTokens: number[];
  snapshotMs: number[];
  firstTokens: number[];
  allTokens: number[];
};

/** @param values those of Periscope, then of each rival */
function recordRow(id: string, n: number, values: readonly number[], decimals = 0): void {
  const shown = values.map((one) => one.toLocaleString('en', { maximumFractionDigits: decimals }));
  const others = shown.slice(1).map((value, at) => [subjects[at + 1]?.name ?? '', value]);
  record({ row: id, n, value: shown[0] ?? '', others: Object.fromEntries(others) });
}

type Medians = Record<keyof Look, number>;

/** Opens each page and looks at it. Figures are medians over the pages of medians over the rounds. */
async function compareLooking(title: string, urls: readonly string[]): Promise<Medians[]> {
  const looks = subjects.map((): Look => ({
    navigateMs: [],
    navigateTokens: [],
    snapshotMs: [],
    firstTokens: [],
    allTokens: [],
  }));
  for (const url of urls) {
    const rounds = subjects.map((): Look => ({
      navigateMs: [],
      navigateTokens: [],
      snapshotMs: [],
      firstTokens: [],
      allTokens: [],
    }));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, subject] of subjects.entries()) {
        const seen = await look(subject, url);
        if (round > 0) for (const [key, value] of Object.entries(seen)) rounds[index]?.[key as keyof Look].push(value);
      }
    }
    for (const [index, values] of rounds.entries()) {
      for (const [key, list] of Object.entries(values)) looks[index]?.[key as keyof Look].push(median(list));
    }
  }
  const medians = looks.map((one) => ({
    navigateMs: median(one.navigateMs),
    navigateTokens: median(one.navigateTokens),
    snapshotMs: median(one.snapshotMs),
    firstTokens: median(one.firstTokens),
    allTokens: median(one.allTokens),
  }));
  table(
    title,
    ['navigate, ms', 'navigate, tokens', 'snapshot, ms', 'snapshot, tokens', 'all parts of it, tokens'],
    medians.map((one) => Object.values(one)),
  );
  return medians;
}

async function look(subject: Subject, url: string): Promise<Record<keyof Look, number>> {
  await sleep(PAUSE_MS);
  const navigated = await answer(subject, subject.navigate(url));
  await sleep(PAUSE_MS);
  const first = await answer(subject, subject.snapshot());
  const firstTokens = tokens(first.text);
  let allTokens = firstTokens;
  for (let next = subject.more?.(first.text) ?? null; next !== null;) {
    const { text } = await answer(subject, next);
    allTokens += tokens(text);
    next = subject.more?.(text) ?? null;
  }
  return {
    navigateMs: navigated.ms,
    navigateTokens: tokens(navigated.text),
    snapshotMs: first.ms,
    firstTokens,
    allTokens,
  };
}

async function answer(subject: Subject, call: Call): Promise<Answer> {
  const answered = await subject.call(call);
  if (answered.isError) throw new Error(`${call.tool}: ${answered.text}`);
  return answered;
}

async function compareTasks(): Promise<void> {
  for (const task of TASKS) {
    const costs = subjects.map((): Record<'calls' | 'tokensIn' | 'tokensOut' | 'ms', number[]> => ({
      calls: [],
      tokensIn: [],
      tokensOut: [],
      ms: [],
    }));
    const failed = new Map<number, string>();
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, subject] of subjects.entries()) {
        if (failed.has(index)) continue;
        const done = await task.run(subject, site).catch((error: unknown) => {
          // A rival that fails has no figures; Periscope must not fail.
          if (index === 0 || !(error instanceof ToolError)) throw error;
          failed.set(index, `${subject.name} could not do it: ${error.message.slice(0, REASON_CHARS)}`);
        });
        if (round === 0 || done === undefined) continue;
        const { calls, tokensIn, tokensOut, ms } = done;
        const cost = costs[index];
        cost?.calls.push(calls);
        cost?.tokensIn.push(tokensIn);
        cost?.tokensOut.push(tokensOut);
        cost?.ms.push(ms);
      }
    }
    table(
      task.name,
      ['calls', 'tokens read', 'tokens written', 'ms'],
      costs.map((cost, index) => (failed.has(index) ? [] : Object.values(cost).map(median))),
    );
    for (const reason of failed.values()) console.log(reason);
  }
}

/** A row for each subject, and the ratio of Periscope's values to the better rival's. */
function table(title: string, names: readonly string[], rows: readonly (readonly number[])[]): void {
  const [own = [], ...rivals] = rows;
  const ratios = own.map((value, column) => value / Math.min(...rivals.flatMap((row) => row[column] ?? [])));
  console.log(`\n${title}\n`);
  console.log(
    columns([
      ['', ...names],
      ...subjects.map(({ name }, index) => [
        name,
        ...names.map((_, column) => rows[index]?.[column]?.toFixed(0) ?? '–'),
      ]),
      ['ours / better rival', ...ratios.map((ratio) => ratio.toFixed(2))],
    ]),
  );
}

async function floor(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const from = performance.now();
    await (await fetch(new URL('/healthz', server.mcpUrl))).text();
    times.push(performance.now() - from);
  }
  return median(times);
}

function median(values: readonly number[]): number {
  return summarise(values).p50;
}
