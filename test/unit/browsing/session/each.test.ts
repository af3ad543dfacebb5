import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { repeatStepLines, describeRepetition } from '#browsing/session/steps/each.ts';

const refusal = (lines: readonly string[], each: readonly string[] | undefined, times?: number) => {
  try {
    repeatStepLines(lines, each, times);
    return null;
  } catch (error) {
    return error instanceof PeriscopeError ? error.failure : error;
  }
};

describe('steps that are repeated', () => {
  it('run once for each string, in order, with the string in place of the braces', () => {
    const { lines } = repeatStepLines(['fill "Name" = {}', 'click "Add {}"', 'wait text=Added'], ['Ann', 'Bo']);
    expect(lines).toEqual([
      'fill "Name" = Ann',
      'click "Add Ann"',
      'wait text=Added',
      'fill "Name" = Bo',
      'click "Add Bo"',
      'wait text=Added',
    ]);
  });

  it('write doubled braces as braces, and a string literally', () => {
    const { lines } = repeatStepLines(['type {{}} {} {{x}} {y}'], ['a {} $& {{b}}']);
    expect(lines).toEqual(['type {} a {} $& {{b}} {x} {y}']);
  });

  it('stay as they are without strings', () => {
    expect(repeatStepLines(['type {} {{x}}'], undefined).lines).toEqual(['type {} {{x}}']);
  });

  it('are limited to 60, counted as they run', () => {
    const strings = Array.from({ length: 21 }, (_, at) => String(at));
    expect(repeatStepLines(['type {}', 'press Tab', 'press Enter'], strings.slice(1)).lines).toHaveLength(60);
    expect(refusal(['type {}', 'press Tab', 'press Enter'], strings)).toMatchObject({
      field: 'each',
      problem: 'makes 63 steps of these 3, and a call runs 60 at most',
      hint: 'Pass up to 20 strings in a call.',
    });
  });

  it('are limited to the length of a step, including their strings', () => {
    const steps = [`fill "Notes" = ${'{}'.repeat(900)}`];
    expect(refusal(steps, ['a'.repeat(2_000)])).toMatchObject({
      field: 'each',
      problem: 'makes a step of more than 2000 characters',
    });
    expect(repeatStepLines(steps, ['a']).lines).toEqual([`fill "Notes" = ${'a'.repeat(900)}`]);
  });

  it('need a place for the string', () => {
    expect(refusal(['click "Add"', 'type {{}}'], ['Ann'])).toMatchObject({
      field: 'each',
      problem: 'is given, and no step has a {}',
    });
  });

  it.each([
    [
      ['fill "Name" = Ann', 'press Enter'],
      ['Ann', 'Bo'],
      ['fill "Name" = {}', 'press Enter'],
    ],
    [
      ['fill "Name" =', 'press Enter'],
      ['Ann', 'Bo'],
      ['fill "Name" = {}', 'press Enter'],
    ],
    [['click "Add"'], ['1', '2'], ['fill "Name" = {}']],
  ])('show the corrected steps if the place for the string is missing: %j', (steps, each, meant) => {
    const hint = expect.stringContaining(`"steps": ${JSON.stringify(meant)}`);
    expect(refusal(steps, each)).toMatchObject({ hint });
    expect(refusal(steps, each)).toMatchObject({ hint: expect.stringContaining('"times": 2') });
  });

  it('run several times without strings, up to 60 steps', () => {
    const repeated = repeatStepLines(['click "More"', 'wait text={}'], undefined, 3);
    expect(repeated.lines).toEqual(Array.from({ length: 3 }, () => ['click "More"', 'wait text={}']).flat());
    expect(describeRepetition(4, repeated)).toBe(' Step 4 is line 2 of round 2.');
    expect(refusal(['click "More"', 'press End'], undefined, 31)).toMatchObject({
      field: 'times',
      problem: 'makes 62 steps of these 2, and a call runs 60 at most',
      hint: 'Pass times 30 at most in a call.',
    });
  });

  it('name the line and the string of a step', () => {
    const repeated = repeatStepLines(['fill "Name" = {}', 'click "Add"'], ['Ann', 'Bo "B"']);
    expect(describeRepetition(4, repeated)).toBe(String.raw` Step 4 is line 2 for "Bo \"B\"".`);
    expect(describeRepetition(1, repeatStepLines(['click "Add"'], undefined))).toBe('');
  });
});
