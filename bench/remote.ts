import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { send, startOrigin } from '#support/origin.ts';
import { ours } from './browser/subjects.ts';
import { record } from './record.ts';
import { measureTools } from './remote/measure.ts';
import type { ToolTimes } from './remote/measure.ts';
import { columns, summarise } from './spine/stats.ts';

/**
 * `npm run bench:remote -- URL --page PAGE [--calls 10]`: times of every tool of a running Periscope, cold and warm,
 * seen from here. URL is its address, such as `https://periscope.example.com`; `PERISCOPE_TOKEN` has an access token
 * for it. PAGE is `bench/remote/page.html` at an address that the server may open, with any `picture.webp` next to it.
 * `--serve PORT` serves both on loopback instead, for a local server with `ALLOWED_PRIVATE_HOSTS=127.0.0.1:PORT`.
 *
 * Cold is the first call of a tool in this run, of a page at a new address. Warm is the median of the next ones. The
 * times include search engines, sites and the way to the server, which `GET /healthz` shows alone. The run leaves
 * citations and one followed page in the account of the token.
 */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    page: { type: 'string' },
    serve: { type: 'string' },
    calls: { type: 'string', default: '10' },
  },
});
const server = URL.parse(positionals[0] ?? '');
const token = process.env['PERISCOPE_TOKEN'] ?? '';
if (server === null) throw new Error('Give the address of a running Periscope.');
if (token === '') throw new Error('Set PERISCOPE_TOKEN to an access token: npm run token makes one.');
const site = values.serve === undefined ? null : await serve(Number(values.serve));
const page = values.page ?? (site === null ? undefined : `${site.url}/page.html`);
if (page === undefined) throw new Error('Name the address of bench/remote/page.html in --page, or use --serve PORT.');

try {
  await measure(server, page);
} finally {
  await site?.close();
}

async function measure(address: URL, pageUrl: string): Promise<void> {
  const fresh = new URL(pageUrl);
  fresh.searchParams.set('run', crypto.randomUUID());
  const place = { page: fresh.href, picture: new URL('picture.webp', pageUrl).href };
  const mcpUrl = `${address.origin}/mcp?toolsets=reader,web,library,browser`;
  const subject = await ours({ mcpUrl, token });
  try {
    const floor = await healthMs(address, Number(values.calls));
    const all = await measureTools(subject, place, Number(values.calls), (times) =>
      console.log(times.tool, 'why' in times ? `not measured: ${times.why}` : times.cold),
    );
    report(all, floor);
    keep(address, all, floor);
  } finally {
    await subject.close();
  }
}

async function healthMs(address: URL, calls: number): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const from = performance.now();
    await (await fetch(new URL('/healthz', address))).text();
    times.push(performance.now() - from);
  }
  return summarise(times).p50;
}

function report(all: readonly ToolTimes[], floor: number): void {
  console.log(`\nMilliseconds from here; GET /healthz takes ${floor.toFixed(0)}\n`);
  console.log(
    columns([
      ['tool', 'cold', 'warm p50', 'warm p95'],
      ...all.map((times) =>
        'why' in times
          ? [times.tool, '–', '–', '–']
          : [times.tool, times.cold.toFixed(0), times.warm.p50.toFixed(0), times.warm.p95.toFixed(0)],
      ),
    ]),
  );
  for (const times of all) if ('why' in times) console.log(`${times.tool} was not measured: ${times.why}`);
}

/** A local server is no deployment: its times do not go to the scoreboard. */
function keep(address: URL, all: readonly ToolTimes[], floor: number): void {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `remote-${at.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ at, host: address.host, floor, tools: all }, null, 2)}\n`);
  const warm = all.flatMap((times) => ('why' in times ? [] : [times.warm.p50]));
  if (LOOPBACK.test(address.hostname) || warm.length < all.length) return;
  record({ row: 'remote-warm', n: warm.length, value: `${summarise(warm).p50.toFixed(0)} ms` });
}

async function serve(port: number) {
  const picture = readFileSync(join(import.meta.dirname, '../docs/pictures/citation.webp'));
  return startOrigin(
    {
      '/page.html': send(readFileSync(join(import.meta.dirname, 'remote/page.html'))),
      '/picture.webp': send(picture, { 'content-type': 'image/webp' }),
    },
    undefined,
    port,
  );
}
