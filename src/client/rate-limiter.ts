import { DurableObject } from 'cloudflare:workers';
import * as z from 'zod';
import { freshState, learn, reserve } from './rate-windows.ts';
import type { Grant, RateState, RateWindow } from './rate-windows.ts';

const storedState: z.ZodType<RateState> = z.object({
  paces: z.array(z.object({ limit: z.number(), windowMs: z.number() })),
  taken: z.array(z.number()),
  quota: z.object({ remaining: z.number(), resetAt: z.number(), probeAt: z.number() }).nullable(),
  pausedUntil: z.number(),
});

const STATE_KEY = 'state';

/**
 * One per key of a search service: the queue that every isolate of the deployment goes through. It hands out times and
 * holds nobody: callers wait where they are. Its state is written with each change, so a restart forgets no place.
 */
export class SearchLimiter extends DurableObject {
  #state: RateState;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    const stored = storedState.safeParse(state.storage.kv.get(STATE_KEY));
    this.#state = stored.success ? stored.data : freshState();
  }

  /** A place in the queue at most `waitMaxMs` ahead, or how long to stay away. */
  reserve(waitMaxMs: number): Grant {
    const { state, grant } = reserve(this.#state, Date.now(), waitMaxMs);
    if (grant.granted) this.#keep(state);
    return grant;
  }

  /** What the service reported with an answer. @param refused it answered "too many requests" */
  learn(windows: RateWindow[], refused: boolean): void {
    this.#keep(learn(this.#state, windows, refused, Date.now()));
  }

  #keep(state: RateState): void {
    this.#state = state;
    this.ctx.storage.kv.put(STATE_KEY, state);
  }
}
