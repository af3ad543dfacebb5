import { describe, expect, it } from 'vitest';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { findFailure } from '#core/failures/failure.ts';
import { objectNamed } from '#core/objects.ts';

/** A namespace whose objects fail as given. It replaces the platform. */
function failing(errors: readonly (Error | null)[]) {
  const left = [...errors];
  const calls: string[] = [];
  const stub = new Proxy(
    {},
    {
      get: (_, method) => async () => {
        calls.push(String(method));
        const error = left.shift() ?? null;
        if (error !== null) throw error;
        return 'done';
      },
    },
  );
  const namespace: unknown = { idFromName: (name: string) => name, get: () => stub };
  return { namespace: namespace as DurableObjectNamespace, calls };
}

async function ask(errors: readonly (Error | null)[], mayRepeat?: () => boolean) {
  const { namespace, calls } = failing(errors);
  const object: unknown = objectNamed(namespace, 'one', mayRepeat);
  const { work } = object as { work: () => Promise<unknown> };
  const outcome: unknown = await work().catch((error: unknown) => error);
  return { outcome, calls: calls.length };
}

const overloaded = () =>
  Object.assign(new Error('Durable Object is overloaded. Too many requests queued.'), {
    overloaded: true,
    retryable: true,
  });
const moved = () => Object.assign(new Error('Network connection lost.'), { retryable: true });

describe('a Durable Object', () => {
  it('is not retried at once when it is overloaded, and the caller is told when to retry', async () => {
    const { outcome, calls } = await ask([overloaded(), null]);
    expect(calls).toBe(1);
    const failure = findFailure(outcome);
    expect(failure).toEqual({ code: 'overloaded', retryAfterSeconds: 5 });
    expect(failure === null ? null : describeFailure(failure)).toMatchObject({
      error: 'overloaded',
      hint: 'Wait 5 s, then try again.',
      extra: { retry_after_seconds: 5 },
    });
  });

  it('is called again once after a temporary failure', async () => {
    expect(await ask([moved(), null])).toEqual({ outcome: 'done', calls: 2 });
  });

  it('is reported as an unavailable part after a permanent failure', async () => {
    const { outcome, calls } = await ask([moved(), moved()]);
    expect(calls).toBe(2);
    expect(findFailure(outcome)).toEqual({ code: 'unavailable' });
  });

  it('may have acted when a call to it failed, unless it was overloaded', async () => {
    const once = () => false;
    const { outcome, calls } = await ask([moved(), null], once);
    expect(calls).toBe(1);
    expect(findFailure(outcome)).toEqual({ code: 'unavailable', mayHaveActed: true });
    expect(findFailure((await ask([overloaded()], once)).outcome)).toMatchObject({ code: 'overloaded' });
  });

  it('is not reported as an unavailable part when its own code fails', async () => {
    const { outcome } = await ask([new TypeError('x is not a function')]);
    expect(findFailure(outcome)).toBeNull();
  });
});
