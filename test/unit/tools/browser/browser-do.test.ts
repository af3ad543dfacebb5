import { expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { browserDo } from '#tools/browser/browser-do.ts';

function costsOf(given: unknown) {
  const parsed = browserDo.parse(given);
  return parsed.ok ? parsed.costs() : null;
}

it('a list of steps costs a call for each step that runs, even if the steps are repeated', () => {
  const steps = ['fill "Name" = {}', 'click "Add"'];
  expect(costsOf({ steps })).toEqual({ calls: 1 });
  expect(costsOf({ steps, each: ['Ann', 'Bo', 'Cy'] })).toEqual({ calls: 5 });
});

it('a list of steps reports an unreadable line once, however often it is repeated', () => {
  const parsed = browserDo.parse({ steps: ['click "Add"', 'dance {}'], each: ['Ann', 'Bo'] });
  const refused = caught(() => (parsed.ok ? parsed.check() : null));
  expect(refused?.failure).toMatchObject({
    code: 'invalid_argument',
    problem: expect.stringMatching(/^line 2: [^;]*$/u),
  });
});

function caught(run: () => unknown): PeriscopeError | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof PeriscopeError) return error;
    throw error;
  }
}
