import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHangReporter } from '#telemetry/work.ts';

const LONG = { selector: `a[b$/${'**//'.repeat(40)}` };

afterEach(() => void vi.restoreAllMocks());

/** The lines that are written while a call is announced. */
async function linesOf(tool: string, args: unknown, skipped: ReadonlySet<string> | undefined = new Set()) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await createHangReporter('r1', skipped).onCall(tool, args);
  return log.mock.calls.map(([line]) => JSON.parse(String(line)));
}

describe('a call that may hang', () => {
  it('is announced by a hash that is the same for the same tool and arguments', async () => {
    const [line] = await linesOf('browser_click', LONG);
    expect(line).toEqual({ work: 'call', id: 'r1', call: expect.stringMatching(/^[0-9a-f]{64}$/) });
    vi.restoreAllMocks();
    expect(await linesOf('browser_click', { ...LONG })).toEqual([line]);
    vi.restoreAllMocks();
    for (const other of [linesOf('browser_type', LONG), linesOf('browser_click', { ...LONG, index: 1 })])
      expect(await other).not.toContainEqual(line);
  });

  it('is skipped with an error that explains this, and others are not', async () => {
    const [line] = await linesOf('browser_click', LONG);
    const skipped = new Set([String(line?.call)]);
    await expect(linesOf('browser_click', LONG, skipped)).rejects.toMatchObject({ failure: { code: 'skipped' } });
    await linesOf('browser_type', LONG, skipped);
  });

  it('is not announced if no watchdog runs, or if many calls have the same few arguments', async () => {
    const log = vi.spyOn(console, 'log');
    await createHangReporter('r1', undefined).onCall('browser_click', LONG);
    await createHangReporter('r1', new Set()).onCall('browser_read', {});
    await createHangReporter('r1', new Set()).onCall('browser_click', { selector: 'button "Continue"' });
    expect(log).not.toHaveBeenCalled();
  });
});
