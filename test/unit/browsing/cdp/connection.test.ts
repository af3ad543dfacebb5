import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConsoleThrottle } from '#browsing/cdp/connection.ts';
import { CONSOLE_DROPS_UNTIL_TERMINATED, CONSOLE_DISABLED_MS, CONSOLE_MESSAGE_RATE } from '#browsing/cdp/connection.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function valve() {
  const sent: string[] = [];
  const said: string[] = [];
  let forgotten = 0;
  const made = new ConsoleThrottle({
    send: (method) => void sent.push(method),
    addLine: (text) => void said.push(text),
    forget: () => (forgotten += 1),
  });
  const read = (messages: number, chars = 100) =>
    Array.from({ length: messages }, () => made.allows(chars)).filter(Boolean).length;
  return { read, sent, said, forgotten: () => forgotten };
}

describe('the console of a page', () => {
  it('is read while a page writes a normal amount', () => {
    const { read, sent } = valve();
    expect(read(300)).toBe(300);
    expect(sent).toEqual([]);
  });

  it('is turned off when the page writes too much, reported once, and turned on again after a while', () => {
    const { read, sent, said, forgotten } = valve();
    expect(read(CONSOLE_MESSAGE_RATE.burst * 2)).toBeLessThanOrEqual(CONSOLE_MESSAGE_RATE.burst);
    expect(sent).toEqual(['Runtime.disable']);
    expect(said).toHaveLength(1);
    vi.advanceTimersByTime(CONSOLE_DISABLED_MS);
    expect(sent).toEqual(['Runtime.disable', 'Runtime.discardConsoleEntries', 'Runtime.enable']);
    expect(forgotten()).toBe(1);
    expect(read(1)).toBe(1);
  });

  it('stops a script that writes without a pause', () => {
    const { read, sent } = valve();
    read(CONSOLE_MESSAGE_RATE.burst + CONSOLE_DROPS_UNTIL_TERMINATED * 5);
    expect(sent).toEqual(['Runtime.disable', 'Runtime.terminateExecution']);
  });

  it('does not read a message of megabytes', () => {
    expect(valve().read(1, 5_000_000)).toBe(0);
  });
});
