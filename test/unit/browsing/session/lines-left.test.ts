import { describe, expect, it } from 'vitest';
import { findRemainingLines } from '#tools/browser/browser-do.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import type { StepListStop } from '#browsing/session/steps/step-list.ts';

const LINES = ['fill "Name" = Ann', 'click button "Add"', 'fill "Name" = Bob', 'click button "Add"'];

function left(done: number, stopped: StepListStop | null, lines = LINES): readonly string[] {
  return findRemainingLines(lines, parseStepLines(lines), { done, stopped });
}

describe('the remaining steps of a list', () => {
  it('are all steps that had not begun when time was over', () => {
    expect(left(1, { why: 'time', isBegun: false })).toEqual(LINES.slice(1));
  });

  it('begin with a step that may run twice', () => {
    expect(left(2, { why: 'time', isBegun: true })).toEqual(LINES.slice(2));
  });

  it('begin after a step that may have run and must not run twice', () => {
    expect(left(1, { why: 'time', isBegun: true })).toEqual(LINES.slice(2));
    expect(left(3, { why: 'time', isBegun: true })).toEqual([]);
  });

  it('are the steps after one that opened another page, unless they name refs of the earlier page', () => {
    expect(left(2, { why: 'moved' })).toEqual(LINES.slice(2));
    expect(left(1, { why: 'moved' }, ['click @e1', 'click @e2'])).toEqual([]);
  });

  it('are none where a step has to be corrected first, or all have run', () => {
    expect(left(1, { why: 'failed' })).toEqual([]);
    expect(left(2, { why: 'dialog' })).toEqual([]);
    expect(left(4, null)).toEqual([]);
  });
});
