import { describe, expect, it } from 'vitest';
import { createClosedSessionState } from '#browsing/session/replies.ts';
import type { SessionState } from '#browsing/session/replies.ts';
import { createActionAnswer, writeActionHead } from '#tools/browser/shapes.ts';

const TAB = { id: 't1', url: 'https://a.example/', title: 'A' };
const STATE: SessionState = { ...createClosedSessionState('default'), tab: TAB, tabs: [TAB] };
const ACTED = { hasMoved: false, isNewDocument: false, stillLoading: false, snapshot: null };
const NO_LINES = { lines: [], left: 0, recreated: 0, moved: 0 };

const answer = async (result: Parameters<typeof createActionAnswer>[1], state: SessionState = STATE) =>
  (await createActionAnswer(state, result, writeActionHead('Clicked.', state, result))).text;

describe('the answer of an action', () => {
  it('reports that the changes are not known, the reason, and how to find out', async () => {
    const before = await answer({ ...ACTED, changes: null, unknown: 'before' });
    expect(before).toContain('It is not known what changed: the page took more than 2 s to be read before the action.');
    expect(before).toContain('Next: browser_snapshot {}');
    expect(await answer({ ...ACTED, changes: null, unknown: 'after' })).toContain('could not be read after the action');
  });

  it('reports that nothing changed only if that is certain', async () => {
    expect(await answer({ ...ACTED, changes: NO_LINES })).toContain('The snapshot of the page did not change.');
    expect(await answer({ ...ACTED, changes: null, unknown: 'before' })).not.toContain('did not change');
  });

  it('reports a crashed page as such, and not as a closed tab', async () => {
    const gone = { ...STATE, tab: null, events: [{ kind: 'crash' as const, tab: 't1' }] };
    const text = await answer({ ...ACTED, changes: null }, gone);
    expect(text).toContain('crashed');
    expect(text).not.toContain('the page closed it');
  });
});

describe('the next call', () => {
  const moved = { ...ACTED, hasMoved: true };

  it('is no snapshot if the answer lists all changes', async () => {
    const changes = { ...NO_LINES, lines: ['+ # Done'] };
    expect(await answer({ ...moved, changes })).not.toContain('Next:');
    expect(await answer({ ...moved, changes: { ...changes, left: 3 } })).toMatch(
      /^\(3 more changed lines left out\)\n.*\nNext: browser_snapshot \{\}$/mu,
    );
    expect(await answer({ ...moved, isNewDocument: true, changes: null })).toContain('Next: browser_snapshot {}');
    const counted = { ...NO_LINES, lines: ['- One', '- (3 more lines)'] };
    expect(await answer({ ...moved, changes: counted })).toContain('Next: browser_snapshot {}');
  });

  it('is a picture if the page shows nothing any more', async () => {
    const text = await answer({ ...ACTED, isEmptied: true, changes: { ...NO_LINES, lines: ['- Words'] } });
    expect(text).toContain('Note: The page shows nothing now: no text and no elements.');
    expect(text).toMatch(/\nNext: browser_screenshot \{\}$/u);
  });
});

describe('rebuilt lines', () => {
  const refs = (from: number, to: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ ref: `@e${from + at}`, now: `@e${to + at}` }));
  const rebuilt = async (renamed: { ref: string; now: string }[], voided: string[], recreated = 2) => {
    const text = await answer({ ...ACTED, changes: { ...NO_LINES, recreated, renamed, voided } });
    return /^\(.*\)$/mu.exec(text)?.[0];
  };

  it('name the new refs of the same elements, as ranges', async () => {
    expect(await rebuilt([], [])).toBe('(2 lines rebuilt; their old refs are void)');
    expect(await rebuilt(refs(9, 40, 4), [])).toBe('(2 lines rebuilt: @e9–@e12 are now @e40–@e43)');
    expect(await rebuilt([...refs(9, 40, 1), ...refs(11, 41, 2)], [])).toBe(
      '(2 lines rebuilt: @e9 is now @e40, @e11–@e12 are now @e41–@e42)',
    );
    expect(await rebuilt(refs(9, 40, 1), [], 0)).toBe('(@e9 is now @e40)');
  });

  it('say that old refs work if there are too many, and which of them do not', async () => {
    const scattered = [1, 2, 3].flatMap((at) => refs(10 * at, 100 + 11 * at, 1));
    expect(await rebuilt(scattered, [])).toBe('(2 lines rebuilt; their old refs work)');
    expect(await rebuilt(scattered, ['@e4', '@e3', '@e9'])).toBe(
      '(2 lines rebuilt; their old refs work, except @e3–@e4, @e9)',
    );
    const many = ['@e20', '@e22', '@e24', '@e26', '@e28', '@e30'];
    expect(await rebuilt(scattered, many)).toBe('(2 lines rebuilt; 3 of 9 old refs work)');
    expect(await rebuilt(scattered, ['@e4', '@e9'], 0)).toBeUndefined();
  });

  it('are listed with their new refs if the old ones are void and they are few', async () => {
    const replaced = ['@e66 textbox "Reason"', '@e67 button "Cancel"'];
    const text = await answer({ ...ACTED, changes: { ...NO_LINES, recreated: 2, voided: ['@e4', '@e5'], replaced } });
    expect(text).toContain(
      '(2 lines rebuilt; their old refs are void; the new ones:)\n= @e66 textbox "Reason"\n= @e67 button "Cancel"',
    );
  });
});
