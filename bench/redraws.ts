import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BROWSER_VIEWPORT } from '#core/limits.ts';
import { launchServer } from '#scripts/local/launch.ts';
import { startOrigin } from '#support/origin.ts';
import { benchChromium } from './browser/chromium.ts';
import { ours, playwright } from './browser/subjects.ts';
import type { Call, Subject } from './browser/subjects.ts';
import { REDRAWN_PAGES } from './redraws/pages.ts';
import type { RedrawnPage } from './redraws/pages.ts';
import { rendererCpuMs } from './redraws/renderer-cpu.ts';
import { columns } from './spine/stats.ts';

/**
 * `npm run bench:redraws`: CPU time of renderers for an act on pages that redraw themselves completely, compared with
 * `@playwright/mcp`, which is installed in `bench/rivals`. An act is a click and a look at the page. The servers run
 * one after the other with the same Chromium, on this machine. Linux only.
 */

const ACTS = 10;
/** Time for a server's work after its answer, which counts, too. */
const REST_MS = 400;

const path = benchChromium();
const site = await startOrigin(
  Object.fromEntries(
    REDRAWN_PAGES.map(({ html }, at) => [
      `/${at}`,
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
    ]),
  ),
);
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));

try {
  const settings = { ALLOWED_PRIVATE_HOSTS: site.host, CHROMIUM_PATH: path, BUDGET_CALLS_PER_MINUTE: '100000' };
  const server = await launchServer({ home, settings });
  const own = await figuresOf(await ours(server));
  await server.stop();
  const rival = await figuresOf(await playwright({ path, viewport: BROWSER_VIEWPORT }));
  const rows = REDRAWN_PAGES.map(({ name }, at) => {
    const [one = 0, other = 0] = [own[at], rival[at]];
    return [name, one.toFixed(0), other.toFixed(0), (one / other).toFixed(2)];
  });
  console.log(columns([['renderer CPU for an act, ms', 'periscope', '@playwright/mcp', 'ratio'], ...rows]));
  const ratio = own.reduce((sum, ms) => sum + ms, 0) / rival.reduce((sum, ms) => sum + ms, 0);
  console.log(`all pages: ${ratio.toFixed(2)}`);
} finally {
  await site.close();
  rmSync(home, { recursive: true, force: true });
}

async function figuresOf(subject: Subject): Promise<number[]> {
  const figures: number[] = [];
  try {
    for (const [at, page] of REDRAWN_PAGES.entries()) figures.push(await cpuOfAct(subject, page, `${site.url}/${at}`));
  } finally {
    await subject.close();
  }
  return figures;
}

async function cpuOfAct(subject: Subject, { label }: RedrawnPage, url: string): Promise<number> {
  let read = await lastOf(subject, subject.open(url));
  await sleep(REST_MS);
  const before = rendererCpuMs();
  for (let act = 0; act < ACTS; act += 1) {
    const ref = subject.refOf(read, `"${label}"`);
    if (ref === null) throw new Error(`${subject.name}: there is no ${label} in:\n${read}`);
    read = await lastOf(subject, subject.click(ref));
    await sleep(REST_MS);
  }
  return (rendererCpuMs() - before) / ACTS;
}

async function lastOf(subject: Subject, calls: readonly Call[]): Promise<string> {
  let read = '';
  for (const call of calls) {
    const { text, isError } = await subject.call(call);
    if (isError) throw new Error(`${subject.name}: ${call.tool}: ${text}`);
    read = text;
  }
  return read;
}
