import { describe, expect, it } from 'vitest';
import { BENCHES } from '#scripts/docs/scoreboard/benches.ts';
import { recordedRuns } from '#scripts/docs/scoreboard/recorded.ts';
import { standing } from '#scripts/docs/scoreboard/standing.ts';
import about from '../../../package.json';
import runs from '../../../scripts/docs/scoreboard/recorded.json';

describe('the scoreboard', () => {
  it.each([
    ['best', { ours: '0.50 (0.31–0.69)', others: { a: '0.46 (0.28–0.65)', b: '0.33' } }],
    ['behind', { ours: '0.50', others: { a: '0.46', b: '0.58' } }],
    ['equal', { ours: '0', others: { a: '0' }, best: 'low' as const }],
    ['best', { ours: '3,212', others: { a: '17,126', b: '9,782' }, best: 'low' as const }],
    ['behind', { ours: '21', others: { a: '13', b: '–' }, best: 'low' as const }],
    ['', { ours: '7', others: { a: '–' } }],
    ['', { ours: '87.7', others: {} }],
  ])('says "%s" of %o', (expected, figure) => {
    expect(standing(figure)).toBe(expected);
  });

  it('has runs of its benches alone, whose commands exist', () => {
    const names = BENCHES.map(({ name }) => name);
    expect(Object.keys(recordedRuns.parse(runs)).filter((name) => !names.some((one) => one === name))).toEqual([]);
    const scripts = Object.keys(about.scripts);
    for (const { command } of BENCHES) {
      const [, script] = /^npm run (\S+)/.exec(command) ?? [];
      if (script !== undefined) expect(scripts).toContain(script);
    }
  });
});
