import { describe, expect, it } from 'vitest';
import { isFailure } from '../../../bench/webarena/run.ts';

const answer = (text: string, isError = false) => ({ text, isError, pictures: [], ms: 0 });

describe('the errors of a task', () => {
  it.each([
    answer('Session not found.', true),
    answer('Took 0 of 2 steps. Step 1 of 2: The element is below the window. No step was done.'),
    answer('Took 1 of 3 steps. Step 2 was refused. Step 3 was not run.'),
    answer('Took 0 of 1 steps. Step 1 did not have the expected result: Saved is missing.'),
  ])('include a refused call and a list that stopped at a failed step: $text', (given) => {
    expect(isFailure(given)).toBe(true);
  });

  it.each([
    answer('Took all 2 steps.'),
    answer('Took the step.'),
    answer('Took 1 of 2 steps. Step 1 opened another page, so the list stopped.'),
    answer('The script ran.\nvalue: "Took 0 of 2 steps. Step 1 was refused."'),
  ])('do not include another answer: $text', (given) => {
    expect(isFailure(given)).toBe(false);
  });
});
