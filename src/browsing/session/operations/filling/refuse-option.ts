import { fail } from '#core/failures/failure.ts';
import { SEVERAL_OPTIONS } from '#browsing/act/fields/fill.ts';
import { fenceQuote } from '#browsing/act/reach.ts';
import type { ListScrollEnd } from './search-long-list.ts';

const OPTIONS_SHOWN_MAX = 20;
const OPTIONS_CHARS_MAX = 1_000;

/**
 * Refuses a choice in a list that has no such option.
 * @param options names of the options that the list shows
 */
export async function refuseOption(options: readonly string[], reach: ListScrollEnd | null = null): Promise<never> {
  const names = reach === null ? options.slice(0, OPTIONS_SHOWN_MAX) : options.slice(-OPTIONS_SHOWN_MAX);
  return refuse(names, names.length === 0 ? NO_OPTIONS : noSuchOption(reach), hintFor(names, reach));
}

/** Refuses a choice in a list in which several options have the wanted name. */
export async function refuseSameNames(options: readonly string[]): Promise<never> {
  return refuse(options.slice(0, OPTIONS_SHOWN_MAX), SEVERAL_OPTIONS, CLICK_ONE);
}

const CLICK_ONE =
  'Click the option that you mean. If this answer does not list the ref of the option, call browser_snapshot first.';

async function refuse(names: readonly string[], problem: string, hint: string): Promise<never> {
  const quoted = names.length === 0 ? {} : { quoted: await fenceQuote(names.join(' | '), OPTIONS_CHARS_MAX) };
  return fail({ code: 'invalid_argument', field: 'value', problem, hint, ...quoted });
}

const NO_OPTIONS = 'the element was clicked and no options came, so it may be no list';

function noSuchOption(reach: ListScrollEnd | null): string {
  if (reach === null) return 'the list has no such option, or several; it was opened and nothing was chosen';
  if (reach.ended) return 'the list has no such option, or several; it was searched to its end and nothing was chosen';
  const at = `${Math.round((reach.at / Math.max(reach.height, 1)) * 100)} % of its length`;
  return `the list is long: it was searched up to ${at}, and no such option came; nothing was chosen`;
}

function hintFor(names: readonly string[], reach: ListScrollEnd | null): string {
  if (names.length === 0) return 'Call browser_snapshot to see what the click changed.';
  if (reach?.ended === false)
    return 'Repeat the call to search on from there, or first type a part of the name where the list can be filtered.';
  return 'Pass the name of an option as in the list.';
}
