import { lasting, overloaded, passing, withFault } from './faulty-bindings.ts';
import type { Fault } from './faulty-bindings.ts';
import { stories } from './stories.ts';

/** The end of a request: the answer to the caller, as text. */
export type Ended = { ok: boolean; text: string };

/** More calls to bindings than any request makes. */
const SITES_MAX = 80;

/** Ways in which a part of the platform fails, by their name in test titles. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'that passes, before it was done': { moment: 'before', error: passing },
  'that passes, after it was done': { moment: 'after', error: passing },
  'that lasts for one call': { moment: 'before', error: lasting },
  'that sets in and lasts': { moment: 'before', error: lasting, goesOn: true },
  'that sets in and lasts, after the first was done': { moment: 'after', error: lasting, goesOn: true },
  'of one that is overloaded': { moment: 'before', error: overloaded },
};

/** A fault and its share of the call sites. */
export type Turn = { fault: Fault; turn: number };

/** The product retries passing failures, so callers see no error. */
export const isPassing = ({ error }: Fault) => error === passing;

/**
 * Runs the work with a fault at one call site after the other, until there are no more. Without `STORIES`, a fault is
 * tried at every second site: with an even `turn` at the first, the third and so on, with an odd one at the others.
 * @param turn number of the fault, so that neighbouring faults share the sites of a deed
 * @param clear runs after each try, without a fault; `hit` is null after a run that had no such site
 */
export async function atEverySite<T>(
  run: () => Promise<T>,
  { fault, turn }: Turn,
  clear: (hit: string | null) => Promise<unknown>,
): Promise<{ hit: string; result: T }[]> {
  const step = stories(1) > 1 ? 1 : 2;
  const answers: { hit: string; result: T }[] = [];
  let n = step === 1 ? 1 : 1 + (turn % 2);
  while (n <= SITES_MAX) {
    const { hit, result } = await withFault(n, fault, run);
    await clear(hit);
    if (hit !== null) {
      answers.push({ hit: `${n}: ${hit}`, result });
      n += step;
    } else if (n === 2 && answers.length === 0) {
      n = 1; // The only site.
    } else {
      return answers;
    }
  }
  throw new Error(`more than ${SITES_MAX} call sites`);
}

/**
 * The faults for one deed of a list, each with the name for its test. The faults move to other sites from one deed to
 * the next: all deeds begin with the same calls, which then meet all faults.
 * @param at index of the deed in its list
 */
export function turnsOf(at: number): [string, Turn][] {
  return Object.entries(FAULTS).map(([name, fault], place) => [name, { fault, turn: at + place }]);
}

/** Openings of clear errors: those of tools and of the protocol. Pages word them differently. */
const CLEAR =
  /"(?:error|code)":"?(?:cache_error|unavailable|overloaded|search_unavailable|render_failed|temporarily_unavailable)|does not work right now/;
const WHEN = /[Tt]ry again|browser_snapshot/;

/** The problem with an answer; `null` for a result, or for a clear error that says what to do next. */
export function unclear({ ok, text }: Ended): string | null {
  if (text.includes('the words of a fault')) return 'quotes the platform';
  if (ok) return null;
  if (!CLEAR.test(text)) return 'has no code of its own';
  return WHEN.test(text) ? null : 'does not say what to do';
}
