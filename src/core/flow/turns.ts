import { STEPS_COST_PER_PAUSE, TURN, TURN_GONE_MS, TURN_OF_PERSON, TURN_PAUSE_MS } from '#core/limits.ts';
import type { LeaseClock } from './lease-clock.ts';
import { withPermit } from './semaphore.ts';
import type { Permits } from './semaphore.ts';

/** Lets everybody else in who waits for the processor. */
export type Pause = () => Promise<void>;

/** For work that nobody waits for. */
export const noPause: Pause = async () => undefined;

/** Long work, step by step: each tells what it cost, in characters of text of the costliest kind. */
export type Steps<T> = Generator<number, T, void>;

/** Takes the steps, and lets others in after each share of {@link STEPS_COST_PER_PAUSE}. */
export async function inShares<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  let cost = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    cost += step.value;
    if (cost < STEPS_COST_PER_PAUSE) continue;
    await pause();
    cost = 0;
  }
}

/** Takes the steps of work that is known to be short. */
export function atOnce<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Works when it is its turn. @throws the signal's reason when it fires first */
export type InTurn = <T>(signal: AbortSignal, work: (pause: Pause) => Promise<T>) => Promise<T>;

/**
 * One turn at a time for long work of the processor, in one isolate. The event loop runs whatever is ready before it looks
 * for new requests, so two pieces of work that are ready together are one long one to all who come meanwhile. After a turn,
 * and in every `pause` of one, the loop has nothing to do for {@link TURN_PAUSE_MS}, and takes new requests. Each person has
 * one of their calls wait for the turn, so that whoever makes many does not have it more often than others.
 */
export function turnTaker(subject: string, turns: Permits, clock: LeaseClock): InTurn {
  return (signal, work) =>
    withPermit(`turn of ${subject}`, TURN_OF_PERSON, turns, clock, signal, (own) =>
      withPermit('turn', TURN, turns, clock, signal, (turn) =>
        work(async () => {
          // A request that is killed is killed while it waits: nobody holds the turn then.
          own.until = turn.until = clock.now() + TURN_GONE_MS;
          await clock.sleep(TURN_PAUSE_MS, signal);
          own.until = turn.until = clock.now() + TURN.leaseMs;
        }),
      ),
    );
}
