import { lasting, overloaded, passing, withFault } from './faulty-bindings.ts';
import type { Fault } from './faulty-bindings.ts';

/** How something that was asked for ended: what the caller was told, as text. */
export type Ended = { ok: boolean; text: string };

/** More calls to bindings than any request makes. */
const SITES_MAX = 80;

/** The ways in which a part of the platform fails, each with what it is called in the names of tests. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'that passes, before it was done': { moment: 'before', error: passing },
  'that passes, after it was done': { moment: 'after', error: passing },
  'that lasts for one call': { moment: 'before', error: lasting },
  'that sets in and lasts': { moment: 'before', error: lasting, goesOn: true },
  'that sets in and lasts, after the first was done': { moment: 'after', error: lasting, goesOn: true },
  'of one that is overloaded': { moment: 'before', error: overloaded },
};

/** What passes is tried again, so that nobody notices. */
export const isPassing = ({ error }: Fault) => error === passing;

/**
 * Runs it with a fault at the first call site, then at the second, until there are no more.
 * @param clear after each, without a fault
 */
export async function atEverySite<T>(
  run: () => Promise<T>,
  fault: Fault,
  clear: () => Promise<unknown>,
): Promise<{ hit: string; result: T }[]> {
  const answers: { hit: string; result: T }[] = [];
  for (let n = 1; n <= SITES_MAX; n += 1) {
    const { hit, result } = await withFault(n, fault, run);
    await clear();
    if (hit === null) return answers;
    answers.push({ hit: `${n}: ${hit}`, result });
  }
  throw new Error(`more than ${SITES_MAX} call sites`);
}

/** Of a tool's answer, or one of the protocol. A page says it in words of its own. */
const CLEAR =
  /"(?:error|code)":"?(?:cache_error|unavailable|overloaded|search_unavailable|render_failed|temporarily_unavailable)|does not work right now/;
const WHEN = /[Tt]ry again|browser_snapshot/;

/** What is wrong with how it was told: nothing is, of a result or of a clear error that says what to do next. */
export function unclear({ ok, text }: Ended): string | null {
  if (text.includes('the words of a fault')) return 'quotes the platform';
  if (ok) return null;
  if (!CLEAR.test(text)) return 'has no code of its own';
  return WHEN.test(text) ? null : 'does not say what to do';
}
