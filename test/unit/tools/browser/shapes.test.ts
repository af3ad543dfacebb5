import { describe, expect, it } from 'vitest';
import { closedState } from '#browsing/session/replies.ts';
import type { SessionState } from '#browsing/session/replies.ts';
import { actionAnswer, writeActionHead } from '#tools/browser/shapes.ts';

const TAB = { id: 't1', url: 'https://a.example/', title: 'A' };
const STATE: SessionState = { ...closedState('default'), tab: TAB, tabs: [TAB] };
const ACTED = { hasMoved: false, isNewDocument: false, stillLoading: false, snapshot: null };
const NO_LINES = { lines: [], left: 0, recreated: 0, moved: 0 };

const answer = async (result: Parameters<typeof actionAnswer>[1], state: SessionState = STATE) =>
  (await actionAnswer(state, result, writeActionHead('Clicked.', state, result))).text;

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
