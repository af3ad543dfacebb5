import { table } from './markdown.ts';
import { MEASURED_HOPS } from './measured-hops.ts';

/**
 * Kinds of hops, where a call waits for an answer: the token in KV, objects, D1, and the network: DNS look-ups, a
 * site's own files (robots.txt, llms.txt), and pages.
 */
export const HOPS = ['kv', 'objects', 'd1', 'dns', 'site', 'pages'] as const;
export type Hop = (typeof HOPS)[number];

export type HopCounts = Readonly<Record<Hop, number>>;

/**
 * Hops of a call before its answer: all of them, and the longest chain of hops that wait for each other. The longest of
 * several chains is the one that takes the most time.
 */
export type HopsOfCall = { all: Readonly<Partial<HopCounts>>; inRow: Readonly<Partial<HopCounts>> };

/** By call. */
export const HOPS_OF_CALLS: Readonly<Record<string, HopsOfCall>> = MEASURED_HOPS;

/** Assumed time of each hop (ms): a Worker near its caller, with objects and D1 on the same continent. */
export const HOP_MS: HopCounts = { kv: 5, objects: 15, d1: 20, dns: 20, site: 50, pages: 50 };

export const NO_HOPS: HopCounts = { kv: 0, objects: 0, d1: 0, dns: 0, site: 0, pages: 0 };

/** The time that a call waits for its hops. */
export function waitingMs(inRow: Readonly<Partial<HopCounts>>, each: HopCounts = HOP_MS): number {
  return HOPS.reduce((sum, hop) => sum + (inRow[hop] ?? 0) * each[hop], 0);
}

/** The table of `docs/storage.md`. */
export function hopTable(): string {
  const taken = HOPS.map((hop) => `${HOP_NAMES[hop]} ${HOP_MS[hop]} ms`).join(', ');
  const alike = Map.groupBy(Object.entries(HOPS_OF_CALLS), ([, hops]) =>
    [...cellsOf(hops), waitingMs(hops.inRow)].join('|'),
  );
  const rows = [...alike.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          [
            [first, ...others].map(([call]) => call).join('; '),
            ...cellsOf(first[1]),
            String(waitingMs(first[1].inRow)),
          ],
        ],
  );
  return [
    `Trips of a call with an OAuth token before its answer. \`4 in 2\` are four, two of them one after the other. The last column assumes ${taken}. Counted by \`npm run bench:hops\`; \`trips.test.ts\` in \`test/worker/tools\` and \`test/browser/tools\` fails when a call needs more.`,
    '',
    table(['Call', ...INSIDE.map((hop) => HOP_NAMES[hop]), 'Network', 'Waiting, ms'], rows),
  ].join('\n');
}

const INSIDE = ['kv', 'objects', 'd1'] as const;
/** Kinds of hops outside the platform. Few calls have them, so they share a column. */
const OUTSIDE = ['dns', 'site', 'pages'] as const;

function cellsOf(hops: HopsOfCall): string[] {
  const outside = OUTSIDE.filter((hop) => cellOf(hops, hop) !== '');
  return [
    ...INSIDE.map((hop) => cellOf(hops, hop)),
    outside.map((hop) => `${HOP_NAMES[hop]}: ${cellOf(hops, hop)}`).join('; '),
  ];
}

export const HOP_NAMES: Readonly<Record<Hop, string>> = {
  kv: 'KV',
  objects: 'Objects',
  d1: 'D1',
  dns: 'DNS',
  site: 'robots.txt, llms.txt',
  pages: 'Pages',
};

export function cellOf({ all, inRow }: HopsOfCall, hop: Hop): string {
  const [count = 0, waits = 0] = [all[hop], inRow[hop]];
  if (count === 0) return '';
  return count === waits ? String(count) : `${count} in ${waits}`;
}
