import { DurableObject } from 'cloudflare:workers';
import type { Ceilings } from '#core/budgets.ts';
import { grantLease, readDayTaken } from './budget-lease.ts';
import type { DayTaken, LeaseAnswer, LeaseAsk } from './budget-lease.ts';

const KEY = 'taken';

/** One per deployment: what everybody together has taken. Subjects come for blocks, not for single calls. */
export class DeploymentBudgets extends DurableObject {
  #taken: DayTaken;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#taken = readDayTaken(state.storage.kv.get(KEY));
  }

  /** What was taken, by slot. */
  taken(): DayTaken {
    return this.#taken;
  }

  lease(ask: LeaseAsk, totals: Ceilings): LeaseAnswer {
    const { taken, answer } = grantLease(this.#taken, ask, totals, Date.now());
    if (taken !== this.#taken) {
      this.#taken = taken;
      this.ctx.storage.kv.put(KEY, taken);
    }
    return answer;
  }
}
