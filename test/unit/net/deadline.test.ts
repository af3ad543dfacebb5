import { describe, expect, it } from 'vitest';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { withDeadline } from '#net/fetch/deadline.ts';

const HOUR_MS = 3_600_000;
const deadline = { ms: HOUR_MS, what: 'Reading the page', url: 'https://docs.acme.dev/' };

const thrownBy = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe('work with a deadline', () => {
  it('fails with its own error if it was not stopped', async () => {
    const broken = new TypeError('the parser broke');
    expect(await thrownBy(withDeadline(deadline, undefined, () => Promise.reject(broken)))).toBe(broken);
    const refused = await thrownBy(withDeadline(deadline, undefined, async () => fail({ code: 'unknown_snapshot' })));
    expect(refused).toMatchObject({ failure: { code: 'unknown_snapshot' } });
  });

  it('fails with the reason of the caller who stopped it, even if it ignores its signal', async () => {
    const caller = new AbortController();
    const working = withDeadline(deadline, caller.signal, () => new Promise(() => undefined));
    caller.abort();
    expect(await thrownBy(working)).toMatchObject({
      failure: { code: 'fetch_failed', reason: 'the call was cancelled' },
    });
  });

  it('fails with timeout when it takes too long, whatever it throws afterwards', async () => {
    const outcome = await thrownBy(
      withDeadline({ ...deadline, ms: 1 }, undefined, async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new TypeError('the body was cut off');
      }),
    );
    expect(outcome).toBeInstanceOf(PeriscopeError);
    expect(outcome).toMatchObject({ failure: { code: 'timeout', what: 'Reading the page', afterMs: 1 } });
  });
});
