import { parseArgs } from 'node:util';
import * as z from 'zod';
import { simulateHour } from '#scripts/docs/scale/hour.ts';
import { peopleAt, WALLS } from '#scripts/docs/scale/load.ts';
import { SEED } from '#scripts/docs/scale/page.ts';
import { linkTrips } from '#scripts/docs/scale/links.ts';

/**
 * `npm run bench:scale [-- --people 5000 --views 2000 --seed 2]`: load of a deployment with this many people on the
 * platform in a busy hour, simulated from the counts of a call, and the limit that is reached first. `npm run docs`
 * writes the table of `docs/scale.md` with the same code.
 */
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { people: text, views: text, seed: text } });
const number = (value: string | undefined, otherwise: number) =>
  z.coerce
    .number()
    .positive()
    .parse(value ?? otherwise);
const people = number(values.people, 10_000);

console.table(
  WALLS.map((wall) => ({
    what: wall.what.slice(0, 70),
    [`${people} people`]: Math.round(wall.perPerson * people * 100) / 100,
    capacity: wall.capacity,
    unit: wall.unit,
    'gives way at': Math.round(peopleAt(wall)),
  })),
);
console.dir(simulateHour(people, number(values.seed, SEED)), { depth: 3 });
console.table(linkTrips(number(values.views, 1_000)));
