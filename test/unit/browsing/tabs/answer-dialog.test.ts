import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CdpError } from '#browsing/cdp/connection.ts';
import { answerDialog } from '#browsing/tabs/answer-dialog.ts';

/** Answers to a dialog whose page is already being replaced. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(refusal: string | null) {
  const listeners = new Set<(event: { frame: { id: string } }) => void>();
  const endHung = vi.fn<() => void>();
  const send = async () => {
    if (refusal !== null) throw new CdpError('Page.handleJavaScriptDialog', refusal);
  };
  const on = (_: string, listener: (event: { frame: { id: string } }) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const session = { send, on } as unknown as Parameters<typeof answerDialog>[1];
  const navigated = (id: string) => {
    for (const listener of listeners) listener({ frame: { id } });
  };
  const answered = answerDialog({ targetId: 'main', endHung }, session, { accept: true });
  return { endHung, navigated, answered, listeners };
}

describe('a dialog', () => {
  it('closes the tab if its page is being replaced and the next document never arrives', async () => {
    const { endHung, navigated, answered, listeners } = setUp('Not attached to an active page');
    await vi.advanceTimersByTimeAsync(0);
    navigated('a frame');
    await vi.runAllTimersAsync();
    await answered;
    expect(endHung).toHaveBeenCalledOnce();
    expect(listeners.size).toBe(0);
  });

  it('leaves the tab open if the next document arrives', async () => {
    const { endHung, navigated, answered } = setUp('Not attached to an active page');
    await vi.advanceTimersByTimeAsync(0);
    navigated('main');
    await answered;
    expect(endHung).not.toHaveBeenCalled();
  });

  it.each([null, 'No dialog is showing'])('leaves the tab open otherwise: %s', async (refusal) => {
    const { endHung, answered } = setUp(refusal);
    await answered;
    expect(endHung).not.toHaveBeenCalled();
  });
});
