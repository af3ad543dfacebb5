import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '#support/make-pdf.ts';
import { coreless } from './pings.ts';
import type { Rig, Site } from './rig.ts';
import type { Try } from './try.ts';
import type { Answer, Caller } from './wire.ts';

/** Many pages that never end, opened by one user at once, while another user opens ordinary pages. */

/** Maximum ms that another user may wait longer than on an idle server. The pages of a busy host are fetched politely. */
const OTHER_HOST_MS_MAX = 1_000;
const SAME_HOST_MS_MAX = 5_000;
/** Until the pages that never end are all requested. */
const BEGIN_MS = 1_500;
const SLOW_MS = 18_000;

type Look = { name: string; msMax: number; open: () => Promise<Answer> };
/** Measurements for the report. */
export const crowdWaits: { crowd: string; look: string; idleMs: number; ms: number; ownMs: number }[] = [];

let count = 0;

/** An address that was never opened before. */
const fresh = (site: Site, path: string) => `${site.url}${path}?${(count += 1)}`;

function looksOf({ site, other }: Rig, caller: Caller): Look[] {
  for (const one of [site, other]) {
    one.page('/quick', '<title>Quick</title><main><p>The lamp of the harbour is lit at dusk.</p></main>');
    one.routes['/small.pdf'] = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF);
  }
  const look = (name: string, at: Site, path: string, mode?: string): Look => ({
    name: `${name} of ${at === site ? 'the same' : 'another'} host`,
    msMax: at === site ? SAME_HOST_MS_MAX : OTHER_HOST_MS_MAX,
    open: () => caller.call('web_open', { url: fresh(at, path), ...(mode === undefined ? {} : { mode }) }),
  });
  return [other, site].flatMap((at) => [
    look('a page', at, '/quick'),
    look('a rendered page', at, '/quick', 'rendered'),
    look('a PDF', at, '/small.pdf'),
  ]);
}

const PDF = makePdf([{ texts: [{ text: 'The lamp of the harbour is lit at dusk.', x: 72, y: 700, size: 12 }] }]);

type Crowd = { name: string; path: string; count: number; mode?: string };

const CROWDS: readonly Crowd[] = [8, 40].flatMap((many) => [
  { name: `${many} pages that answer after 18 s`, path: '/slow18', count: many },
  { name: `${many} pages whose body stalls`, path: '/stalled', count: many },
  {
    name: `${many === 8 ? 4 : many} renderings that hang`,
    path: '/hangs',
    count: many === 8 ? 4 : many,
    mode: 'rendered',
  },
]);

function layCrowd({ routes, page }: Site): () => void {
  const open = new Set<() => void>();
  routes['/slow18'] = (_request, response) => {
    const timer = setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>late'), SLOW_MS);
    response.on('close', () => clearTimeout(timer));
  };
  routes['/stalled'] = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders();
    open.add(() => response.destroy());
  };
  page('/hangs', '<title>Hangs</title><p>x</p><script>for (;;) {}</script>');
  return () => {
    for (const end of open) end();
    open.clear();
  };
}

type Timed = { ms: number; own: number; answer: Answer };

/** `own` leaves out the time that the Worker’s thread waited for a core. */
async function timed({ open }: Look): Promise<Timed> {
  const from = performance.now();
  const corelessBefore = coreless();
  const answer = await open();
  const ms = performance.now() - from;
  return { ms, own: Math.max(0, ms - (coreless() - corelessBefore)), answer };
}

/** The pages of one host at a time, because a second rendered page would wait for the first. */
async function openAll(looks: readonly Look[]): Promise<Timed[]> {
  const all: Timed[] = [];
  for (const ofHost of Map.groupBy(looks, ({ msMax }) => msMax).values())
    all.push(...(await Promise.all(ofHost.map(timed))));
  return all;
}

/** One try for each crowd. The waits of an idle server are measured just before, because others may use the machine. */
export function crowds(rig: Rig, isShared: boolean): Try[] {
  return CROWDS.map((crowd) => ({
    name: `another opens pages beside ${crowd.name}`,
    run: async () => {
      const end = layCrowd(rig.site);
      const looks = looksOf(rig, rig.bob.caller);
      // The first round starts the browser.
      await openAll(looks);
      const idle = await openAll(looks);
      const { mode } = crowd;
      const pending = Array.from({ length: crowd.count }, () =>
        rig.ana.caller.call('web_open', { url: fresh(rig.site, crowd.path), ...(mode === undefined ? {} : { mode }) }),
      );
      await sleep(BEGIN_MS);
      const beside = await openAll(looks);
      end();
      await Promise.allSettled(pending);
      const problems = looks.flatMap((look, at) => problemOf(crowd, look, idle[at], beside[at], isShared) ?? []);
      return problems.length === 0 ? null : problems.join('; ');
    },
  }));
}

function problemOf(
  crowd: Crowd,
  { name, msMax }: Look,
  idle: Timed | undefined,
  beside: Timed | undefined,
  isShared: boolean,
): string | null {
  if (idle === undefined || beside === undefined) return `${name} was not opened`;
  crowdWaits.push({ crowd: crowd.name, look: name, idleMs: idle.ms, ms: beside.ms, ownMs: beside.own });
  if (beside.answer.isRefused) return `${name} failed: ${beside.answer.text.slice(0, 150)}`;
  const ms = isShared ? beside.own : beside.ms;
  return ms - idle.ms > msMax
    ? `${name} took ${(ms / 1_000).toFixed(1)} s, not ${(idle.ms / 1_000).toFixed(1)} s`
    : null;
}
