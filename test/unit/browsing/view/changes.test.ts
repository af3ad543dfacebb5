import { describe, expect, it } from 'vitest';
import { compareLooks, writeChanges } from '#browsing/view/changes.ts';
import { bareElement } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';
import type { Look } from '#browsing/view/view.ts';

const ROOM = { maxChars: 700, wholeCharsMax: 1_600, viewCharsMax: 3_200 };

function text(words: string): ViewLine {
  return { depth: 0, kind: 'text', parts: [words] };
}

function button(ref: string, name: string, states: readonly string[] = []): ViewLine {
  return { depth: 0, kind: 'element', parts: [bareElement(ref, 'button', `"${name}"`, states)] };
}

function look(...lines: ViewLine[]): Look {
  return { generation: 'one', loaderId: 'one', lines };
}

function compare(before: Look, after: Look) {
  const compared = compareLooks(before, after, { own: new Set(), at: null });
  if (compared === null) throw new Error('the looks have nothing in common');
  return compared;
}

describe('the changes beside a view', () => {
  const known = text('Saved drafts');
  const added = text('Saved…');
  const comparison = compare(look(known), look(known, added));

  it('leave out and count a line that the view shows', () => {
    expect(writeChanges(comparison, ROOM, new Set([known, added]))).toMatchObject({
      changes: { lines: [], left: 0 },
      changesInView: 1,
    });
  });

  it('have a line that the view does not show, though it reads like the beginning of one that it shows', () => {
    expect(writeChanges(comparison, ROOM, new Set([known]))).toMatchObject({
      changes: { lines: ['+ Saved…'], left: 0 },
      changesInView: 0,
    });
  });

  it('have each line that disappeared', () => {
    const gone = compare(look(known, added), look(known));
    expect(writeChanges(gone, ROOM, new Set([known])).changes.lines).toEqual(['- Saved…']);
  });
});

describe('a change of the focus', () => {
  it('is one when an element has it that was there before', () => {
    const compared = compare(look(button('@e1', 'Go')), look(button('@e1', 'Go', ['focused'])));
    expect(compared.isOnlyFocus).toBe(true);
    expect(writeChanges(compared, ROOM, new Set()).changes.lines).toEqual(['~ @e1 button "Go" focused']);
  });

  it('is none when the words of the page say so', () => {
    const compared = compare(look(button('@e1', 'Camera on')), look(button('@e1', 'Camera focused on')));
    expect(compared.isOnlyFocus).toBe(false);
  });
});
