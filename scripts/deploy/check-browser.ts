import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

/** Several tries, because the previous version may still answer, and does not know this key. */
const TRIES = 15;
const PAUSE_MS = 2_000;

const answerSchema = z.object({
  checks: z.array(
    z.object({ name: z.string(), verdict: z.enum(['ok', 'warn', 'fail', 'unknown']), found: z.string() }),
  ),
});

/**
 * Has a deployment try its browser, and prints each step with its time. A browser that does not work is reported
 * without stopping the deploy, because everything else works without it.
 * @param key LIVE_CHECK_KEY of this deploy
 */
export async function checkBrowser(
  origin: string,
  key: string,
  { pauseMs = PAUSE_MS, ask = fetch }: { pauseMs?: number; ask?: typeof fetch } = {},
): Promise<void> {
  const checks = await tried(origin, key, pauseMs, ask);
  if (typeof checks === 'string') {
    console.log(`The browser could not be tested: ${checks}. Press Try the browser on ${origin}/console/health.`);
    return;
  }
  for (const { name, found } of checks) console.log(`${name}. ${found}`);
  if (checks.every(({ verdict }) => verdict === 'ok')) return;
  console.log(
    `The browser does not work as it should; everything else does. The browser tools and rendered pages will fail until this is fixed. ${origin}/console/health tests it again.`,
  );
}

/** @returns the results, or the reason why there are none */
async function tried(origin: string, key: string, pauseMs: number, ask: typeof fetch) {
  let last = 'it did not answer';
  for (let n = 0; n < TRIES; n += 1) {
    if (n > 0) await sleep(pauseMs);
    try {
      const body = new URLSearchParams({ key });
      const answer = await ask(`${origin}/console/health/browser`, { method: 'POST', body });
      if (answer.ok) return answerSchema.parse(await answer.json()).checks;
      await answer.body?.cancel();
      last = `it answered HTTP ${answer.status}`;
    } catch (error) {
      if (error instanceof z.ZodError || error instanceof SyntaxError) return 'its answer cannot be read';
      last = 'it cannot be reached';
    }
  }
  return last;
}
