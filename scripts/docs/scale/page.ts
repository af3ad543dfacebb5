import { table } from '#scripts/docs/markdown.ts';
import { linkTrips } from './links.ts';
import { ASSUMED, PAGE_BYTES, peopleAt, WALLS } from './load.ts';
import type { Wall } from './load.ts';
import { LIMITS, LIMITS_OF } from './platform-limits.ts';

export const SEED = 1;
const MOST_VIEWS = 10_000;

/** The tables of `docs/scale.md`. */
export function scaleTables(): string {
  return [
    '### What gives way, in order',
    '',
    `With the limits of Workers Paid of ${LIMITS_OF} (\`scripts/docs/scale/platform-limits.ts\`) and the month of one person in [deploying.md](deploying.md#the-plan-and-what-it-costs), with ${ASSUMED.searches} searches of stored pages and one followed library for ${1 / ASSUMED.libraries} people. A stored page has ${amount(PAGE_BYTES)} bytes of text. Assumed, as no deployment has been measured: ${ASSUMED.tripMs} ms a trip, ${ASSUMED.rowWrittenMs} ms a written row, ${amount(ASSUMED.steppingMs)} ms for common words of a search.`,
    '',
    wallTable(),
    '',
    '### A link that everybody opens',
    '',
    linkWords(),
  ].join('\n');
}

function wallTable(): string {
  const walls = WALLS.toSorted((a, b) => peopleAt(a) - peopleAt(b));
  return table(
    ['What', '1,000 people need', 'Gives way at', 'Then', 'What moves it'],
    walls.map((wall) => [
      wall.what,
      withUnit(1_000 * wall.perPerson, wall),
      `${rounded(peopleAt(wall))} people`,
      wall.effect,
      wall.moves,
    ]),
  );
}

function withUnit(count: number, { unit }: Wall): string {
  return unit === 'bytes' ? `${amount(count / 1e9)} GB` : `${amount(count)} ${unit}`;
}

function linkWords(): string {
  const { views, now } = linkTrips(MOST_VIEWS);
  return `${amount(views)} views a second of one public quote need ${amount(now)} trips to D1 a second; the database gives way at some ${amount(viewsAtWall())} views.`;
}

function viewsAtWall(): number {
  const { views, now } = linkTrips(MOST_VIEWS);
  return (views * LIMITS.d1BusyMs.is) / ASSUMED.tripMs / now;
}

function amount(count: number): string {
  return count.toLocaleString('en', { maximumFractionDigits: count < 10 ? 1 : 0 });
}

/** Rounds to two digits, because the assumptions are not more precise. */
function rounded(count: number): string {
  return Number(count.toPrecision(2)).toLocaleString('en');
}
