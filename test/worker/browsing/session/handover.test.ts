import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { LIVE_DRIVER_IDLE_MS, LIVE_DRIVER_RETURN_MS } from '#browsing/live-view/limits.ts';
import { Handover } from '#browsing/session/handover.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { partNamed } from '#core/objects.ts';

const GOES_ON = new AbortController().signal;

/** A handover over real storage, with its own clock. */
async function withHandover(
  name: string,
  use: (world: {
    made: () => Promise<Handover>;
    pass: (ms: number) => void;
    kept: () => number;
    block: (on: boolean) => void;
    /** The current call of the model ends when this promise does. */
    callEnds: (when: Promise<void>) => void;
    breakStorage: () => void;
  }) => Promise<void>,
): Promise<void> {
  const stub = env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(`handover of ${name}`));
  await runInDurableObject(stub, async (_, { storage }) => {
    let now = 1_000_000;
    let kept = 0;
    let isBlocked = false;
    let isBroken = false;
    let call = Promise.resolve();
    await use({
      made: async () => {
        const handover = new Handover({
          storage,
          now: () => now,
          active: () => null,
          waitForTurn: async () => {
            if (isBlocked) throw new PeriscopeError({ code: 'session_busy', session: 's', place: 1, afterMs: 1 });
            await call;
          },
          keep: async () => {
            if (isBroken) throw new Error('no room');
            kept += 1;
          },
          filesOf: (subject) => partNamed(env.PERSON_STORE, subject, 'files'),
          onTakeOverEnded: async () => undefined,
          question: () => null,
        });
        await handover.read();
        return handover;
      },
      pass: (ms) => (now += ms),
      kept: () => kept,
      block: (on) => (isBlocked = on),
      callEnds: (when) => (call = when),
      breakStorage: () => (isBroken = true),
    });
    await storage.deleteAll();
  });
}

const refusal = async (handover: Handover) =>
  handover.refuseActing('s').then(
    () => null,
    (error: unknown) => (error instanceof PeriscopeError ? error.failure : error),
  );

describe('a person who drives', () => {
  it('prevents calls from acting until they give the session back, and no other person can take over', async () => {
    await withHandover('one', async ({ made, pass, kept }) => {
      const handover = await made();
      expect(await handover.take('page', 'ada')).toBeNull();
      pass(4_000);
      expect(await refusal(handover)).toEqual({ code: 'handed_over', session: 's', forSeconds: 4 });
      expect(await handover.take('other', 'bob')).toContain('Another window has control');
      await handover.giveBack('other');
      expect(handover.driver).toEqual({ page: 'page', person: 'ada', isReady: true });
      expect(handover.unreported).toBeNull();
      await handover.giveBack('page');
      expect(await refusal(handover)).toBeNull();
      expect(handover.unreported).toMatchObject({ seconds: 4, how: 'given_back' });
      expect(kept()).toBe(1);
      await handover.reported();
      expect(handover.unreported).toBeNull();
    });
  });

  it('can continue in another of their windows, which alone can then give the session back', async () => {
    await withHandover('moved', async ({ made, pass }) => {
      const handover = await made();
      await handover.take('page', 'ada');
      pass(2_000);
      expect(await handover.take('second', 'ada')).toBeNull();
      expect(handover.driver).toEqual({ page: 'second', person: 'ada', isReady: true });
      handover.disconnected('page');
      await handover.giveBack('page');
      pass(LIVE_DRIVER_RETURN_MS);
      expect(await refusal(handover)).toMatchObject({ code: 'handed_over' });
      await handover.giveBack('second');
      expect(await refusal(handover)).toBeNull();
      expect(handover.unreported).toMatchObject({ how: 'given_back' });
    });
  });

  it('who leaves is reported as having left, and not as having given the session back', async () => {
    await withHandover('gone', async ({ made, pass }) => {
      const handover = await made();
      await handover.ask('Sign in', null);
      await handover.take('page', 'ada');
      expect(await handover.wait('Sign in', null, GOES_ON)).toMatchObject({ state: 'person_driving' });
      handover.disconnected('page');
      pass(LIVE_DRIVER_RETURN_MS);
      await handover.endIfAbandoned();
      expect(await handover.wait('Sign in', null, GOES_ON)).toEqual({
        state: 'given_back',
        hasLeft: true,
        isNew: false,
      });
      await handover.ask('Sign in', null);
      await handover.take('page', 'ada');
      await handover.giveBack('page');
      expect(await handover.wait('Sign in', null, GOES_ON)).toEqual({ state: 'given_back', isNew: false });
    });
  });

  it('who leaves has a minute to come back', async () => {
    await withHandover('left', async ({ made, pass }) => {
      const handover = await made();
      await handover.take('page', 'ada');
      handover.disconnected('page');
      pass(LIVE_DRIVER_RETURN_MS - 1);
      expect(await refusal(handover)).toMatchObject({ code: 'handed_over' });
      handover.connected('page');
      pass(LIVE_DRIVER_RETURN_MS);
      expect(await refusal(handover)).toMatchObject({ code: 'handed_over' });
      handover.disconnected('page');
      pass(LIVE_DRIVER_RETURN_MS);
      expect(await refusal(handover)).toBeNull();
      expect(handover.unreported).toMatchObject({ how: 'left' });
    });
  });

  it('who does nothing for long counts as having given the session back', async () => {
    await withHandover('idle', async ({ made, pass }) => {
      const handover = await made();
      await handover.take('page', 'ada');
      pass(LIVE_DRIVER_IDLE_MS - 1);
      handover.noteUse();
      pass(LIVE_DRIVER_IDLE_MS - 1);
      expect(await refusal(handover)).toMatchObject({ code: 'handed_over' });
      pass(1);
      expect(await refusal(handover)).toBeNull();
      expect(handover.unreported).toMatchObject({ how: 'idle' });
    });
  });

  it('still drives after a restart of the server, and has a minute to come back', async () => {
    await withHandover('killed', async ({ made, pass }) => {
      await (await made()).take('page', 'ada');
      pass(10_000);
      const after = await made();
      expect(await refusal(after)).toMatchObject({ code: 'handed_over' });
      pass(LIVE_DRIVER_RETURN_MS - 1);
      after.connected('page');
      pass(LIVE_DRIVER_RETURN_MS);
      expect(await refusal(after)).toMatchObject({ code: 'handed_over' });
      const later = await made();
      pass(LIVE_DRIVER_RETURN_MS);
      expect(await refusal(later)).toBeNull();
      expect(later.unreported).toMatchObject({ how: 'left' });
      expect((await made()).unreported).toMatchObject({ how: 'left' });
    });
  });

  it('who gives the session back during a call of the model has given it back when that call ends', async () => {
    await withHandover('hasty', async ({ made, callEnds }) => {
      const handover = await made();
      const call = Promise.withResolvers<void>();
      callEnds(call.promise);
      const taken = handover.take('page', 'ada');
      await handover.giveBack('other');
      await handover.giveBack('page');
      expect(await refusal(handover)).toMatchObject({ code: 'handed_over' });
      call.resolve();
      expect(await taken).toBeNull();
      expect(handover.driver).toBeNull();
      expect(await refusal(handover)).toBeNull();
      expect(handover.unreported).toMatchObject({ how: 'given_back' });

      expect(await handover.take('page', 'ada')).toBeNull();
      expect(handover.driver).toEqual({ page: 'page', person: 'ada', isReady: true });
    });
  });

  it('has given it back also when the state of the browser cannot be saved', async () => {
    await withHandover('unsaved', async ({ made, breakStorage }) => {
      const handover = await made();
      await handover.take('page', 'ada');
      breakStorage();
      await expect(handover.giveBack('page')).rejects.toThrow('no room');
      expect(handover.driver).toBeNull();
      expect(await refusal(handover)).toBeNull();
    });
  });

  it('does not drive during a call that does not end, and learns this', async () => {
    await withHandover('busy', async ({ made, block }) => {
      const handover = await made();
      block(true);
      expect(await handover.take('page', 'ada')).toContain('still at work');
      expect(handover.driver).toBeNull();
      block(false);
      expect(await handover.take('page', 'ada')).toBeNull();
    });
  });
});

describe('a model that asks for a person', () => {
  it('learns that the person drives, and that the person gave the session back, once', async () => {
    await withHandover('asked', async ({ made }) => {
      const handover = await made();
      expect(handover.isPending).toBe(false);
      expect(await handover.ask('Sign in', null)).toEqual({ state: 'waiting', isNew: true });
      expect(handover.request).toBe('Sign in');
      const hears = handover.wait('Sign in', 't2', GOES_ON);
      await handover.take('page', 'ada');
      expect(await hears).toEqual({ state: 'person_driving', isNew: false });
      const waits = handover.wait('Sign in', 't2', GOES_ON);
      await handover.giveBack('page');
      expect(await waits).toEqual({ state: 'given_back', isNew: false });
      expect(handover.isPending).toBe(false);
      expect(handover.request).toBeNull();
    });
  });

  it('immediately receives the events since its last call', async () => {
    await withHandover('meanwhile', async ({ made, pass }) => {
      const handover = await made();
      await handover.ask('Sign in', null);
      await handover.take('page', 'ada');
      pass(1);
      // The clock is stopped, so a wait would never end.
      expect(await handover.wait('Sign in', null, GOES_ON)).toEqual({ state: 'person_driving', isNew: false });
    });
  });

  it('learns that the person declines', async () => {
    await withHandover('declined', async ({ made }) => {
      const handover = await made();
      await handover.decline();
      expect(handover.isPending).toBe(false);
      await handover.ask('Sign in', null);
      await handover.decline();
      expect(await (await made()).wait('Sign in', 't2', GOES_ON)).toEqual({ state: 'declined', isNew: false });
    });
  });

  it('that continues without the person sends a new request the next time', async () => {
    await withHandover('went on', async ({ made }) => {
      const handover = await made();
      await handover.ask('Sign in', null);
      await handover.take('page', 'ada');
      await handover.giveBack('page');
      await handover.clearRequest();
      expect(handover.isPending).toBe(false);
    });
  });
});
