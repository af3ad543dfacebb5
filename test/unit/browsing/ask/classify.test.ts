import { describe, expect, test } from 'vitest';
import { classify } from '#browsing/ask/classify.ts';
import { CLOSED_FLOWS } from './closed-flows.ts';
import { OPEN_FLOWS } from './open-flows.ts';
import type { Flow } from './flows.ts';

function judged(flows: readonly Flow[]) {
  const acts = flows.flatMap((flow) => flow.acts.map((one) => ({ flow, ...one, reason: classify(one.act) })));
  const words = ({ flow, act }: (typeof acts)[number]) => `${flow.language}: ${act.kind} ${act.element.name}`;
  return {
    consequential: acts.filter((one) => one.isConsequential).length,
    harmless: acts.filter((one) => !one.isConsequential).length,
    missed: acts.filter((one) => one.isConsequential && one.reason === null).map(words),
    needless: acts.filter((one) => !one.isConsequential && one.reason !== null).map(words),
  };
}

describe.each([
  ['the flows that the word lists were written with', OPEN_FLOWS],
  ['the flows that were not looked at meanwhile', CLOSED_FLOWS],
])('in %s', (_, flows) => {
  const { missed, needless, harmless } = judged(flows);
  test('no consequential act is missed', () => expect(missed).toEqual([]));
  test('at most one harmless act in ten is asked about', () => {
    expect(needless.slice(Math.floor(harmless / 10))).toEqual([]);
  });
});

describe('a text of a page', () => {
  test('is read in bounded time, whatever its length', () => {
    const element = {
      ...OPEN_FLOWS[0]?.acts[0]?.act.element,
      name: 'delete '.repeat(100_000),
      around: 'x'.repeat(1_000_000),
    };
    const { act } = OPEN_FLOWS[0]?.acts[2] ?? {};
    if (act === undefined) throw new Error('there is no such act');
    const begun = process.cpuUsage();
    for (let count = 0; count < 100; count += 1) classify({ ...act, element: { ...act.element, ...element } });
    expect(process.cpuUsage(begun).user / 100).toBeLessThan(20_000);
  });
});
