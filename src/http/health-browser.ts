import type { Abilities } from '#core/abilities.ts';
import type { Check } from './health-check.ts';

/** A step of trying the browser, as `browsing` tells it. */
type Step = { name: string; ms: number; works: boolean; found: string };

export type BrowserProbe = {
  abilities: Pick<Abilities, 'browser'>;
  /** `null` when no browser is bound. */
  trial: (() => Promise<readonly Step[]>) | null;
};

/** Tries the browser step by step, each with its time. It takes some seconds of the account's browser time. */
export async function checkBrowser({ abilities, trial }: BrowserProbe): Promise<Check[]> {
  if (trial === null) {
    const fix = 'Keep [browser] in wrangler.toml and deploy again.';
    return [{ name: 'Browser', verdict: 'fail', found: 'No browser is bound.', fix }];
  }
  if (!abilities.browser) {
    const fix = 'Set RENDER_ENABLED to true.';
    return [{ name: 'Browser', verdict: 'warn', found: 'RENDER_ENABLED is off, so it is not used.', fix }];
  }
  return (await trial()).map(({ name, ms, works, found }, at) => ({
    name: `${at + 1}. ${name}`,
    verdict: works ? 'ok' : 'fail',
    found: `${found} ${ms.toLocaleString('en')} ms.`,
    ...(works ? {} : { fix: FIX }),
  }));
}

const FIX =
  'Try again in a minute. If that does not help, look at the limits of your plan and at the status page of Cloudflare; everything but the browser works without it.';
