import { budgetPort } from '#client/budgets.ts';
import type { ClientState } from '#client/client-state.ts';
import { budgetLimits } from '#core/budgets.ts';
import type { Config } from '#core/config.ts';
import { PeriscopeError } from '#core/errors.ts';
import { objectNamed } from '#core/objects.ts';
import type { Kept } from './kept.ts';
import { SESSION_TICK_MS } from './limits.ts';

/**
 * Pays for the browser's time, one tick ahead.
 * @returns until when it is paid now; `null` when it was paid already
 * @throws {PeriscopeError} `rate_limited`
 */
export async function payAhead(
  clients: DurableObjectNamespace<ClientState>,
  config: Config,
  kept: Kept | null,
  now: number,
): Promise<number | null> {
  if (kept === null || kept.paidUntil > now) return null;
  await budgetPort(objectNamed(clients, kept.subject), budgetLimits(config)).spend({ browser_ms: SESSION_TICK_MS });
  return now + SESSION_TICK_MS;
}

/** Whether a payment went through. */
export async function isPaid(paying: Promise<void>): Promise<boolean> {
  try {
    await paying;
    return true;
  } catch (error) {
    if (error instanceof PeriscopeError) return false;
    throw error;
  }
}
