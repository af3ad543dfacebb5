import { describe, expect, it } from 'vitest';
import { describeFailure } from '#core/failures/describe-failure.ts';
import type { Failure } from '#core/failures/failure.ts';

const BROKEN: Failure = { code: 'render_failed', reason: 'it ended during the call' };

describe('a failure in a list of steps', () => {
  it.each([
    [
      { done: 1, total: 3 },
      'Step 2 of 3: The browser is not working: it ended during the call.',
      'The steps before it were done.',
    ],
    [{ done: 0, total: 3 }, 'Step 1 of 3: The browser is not working: it ended during the call.', 'No step was done.'],
    [
      { done: 3, total: 3 },
      'After all 3 steps: The browser is not working: it ended during the call.',
      'All steps were done.',
    ],
    [
      { done: 1, total: 1 },
      'After the step: The browser is not working: it ended during the call.',
      'All steps were done.',
    ],
  ])('names a step that exists: %o', (listed, message, hint) => {
    const described = describeFailure({ ...BROKEN, listed });
    expect(described).toMatchObject({ message, extra: { steps_done: listed.done } });
    expect(described.hint).toContain(hint);
  });
});

describe('an element outside the window', () => {
  it.each([
    ['below', 'browser_launch {"height": 1600}'],
    ['right', 'browser_launch {"width": 1920}'],
    ['left', 'browser_launch {"width": 1920}'],
    ['above', 'open its menu or drawer'],
  ] as const)('is reported with the call that may show it: %s', (where, call) => {
    const failure: Failure = { code: 'element_not_found', target: 'button', reason: 'hidden', where };
    expect(describeFailure(failure).hint).toContain(call);
  });
});

describe('a page that crashed', () => {
  it('is reported as a crash of the page, not of the browser', () => {
    const failure: Failure = {
      code: 'render_failed',
      page: 'crashed',
      reason: 'page of tab t1 crashed, and the tab is closed',
    };
    expect(describeFailure(failure)).toMatchObject({
      message: 'The page of tab t1 crashed, and the tab is closed.',
      hint: expect.stringContaining('browser_navigate'),
    });
  });
});
