import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '#browsing/session/operations/table.ts';
import { runInTab } from '#browsing/session/operations/perform.ts';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import { sessionOn } from '#support/session-work.ts';

const LONG = Array.from({ length: 60 }, (_, at) => `<button>Open boat ${at}</button>`).join('');

describe('a view that a caller asks for', () => {
  const open = sessionOn({ '/boats': LONG });

  it('is sent in full each time', async () => {
    const { active, tab } = await open('/boats');
    const bounds = { effect: 'look' as const, isLook: true, callMs: 20_000, texts: OPERATIONS.snapshot.origins };
    const look = async () =>
      (await runInTab('default', active, { tab: tab.id }, null, bounds, (work) => viewTabOnRequest(work, {}))).result;
    const [first, second] = [await look(), await look()];
    expect(first.text).toContain('Open boat 59');
    expect(second).toEqual(first);
  });
});
