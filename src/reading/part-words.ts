import type { PageRange } from '#core/document/document.ts';

/** Words about the part of a page that a document contains. */
export type PagePartDescription = {
  words: string;
  isLast: boolean;
  isCut: boolean;
  /** Call that opens the next part; `null` if there is none, or if no call can open it. */
  next: string | null;
  /** Call that opens the previous part; `null` if there is none, or if no call can open it. */
  before: string | null;
  leftOut: string;
};

/**
 * Advice for text that was cut off and cannot be opened by a further call. `live`: a page in a browser. `given`: HTML
 * that the caller passed.
 */
const LEFT_OUT = {
  live: 'The text from here on was left out. To read an element further down, call browser_read with its selector.',
  given: 'The text from here on was left out. Pass the HTML in smaller pieces.',
} as const;

/** Follows a sentence that names the last part, if a page was not stored to its end. */
export const PAGE_END_NOT_STORED_NOTE =
  'The text after that is not stored. Look for it on a smaller page of the site, or in a smaller file.';

/**
 * Describes the part of a page that a document contains; `null` for a whole page.
 * @param url the page's URL; its fragment is ignored
 */
export function composePagePartWords(
  pages: PageRange | undefined,
  url: string,
  source: keyof typeof LEFT_OUT | 'address' = 'address',
): PagePartDescription | null {
  if (pages === undefined) return null;
  const { first, last, total, isCut = false } = pages;
  if (first === 1 && last === total && !isCut) return null;
  const of = isCut ? `the first ${total}` : total;
  const words = first === last ? `page ${first} of ${of}` : `pages ${first} to ${last} of ${of}`;
  const isLast = last >= total;
  const canOpen = source === 'address';
  return {
    words,
    isLast,
    next: isLast || !canOpen ? null : openPageCall(url, last + 1),
    before: first === 1 || !canOpen ? null : openPageCall(url, first - 1),
    isCut,
    leftOut: source === 'address' ? '' : LEFT_OUT[source],
  };
}

export function describePagePart(part: PagePartDescription | null): string[] {
  if (part === null) return [];
  const { words, next, before, isLast, leftOut } = part;
  const onward = next === null ? (isLast ? [] : [leftOut]) : [`The next part: ${next}.`];
  const back = before === null ? [] : [`The part before: ${before}.`];
  return [[`This is too long for one document; here is ${words}.`, ...onward, ...back].join(' ')];
}

export function describePartEnd({ words, next, isLast, isCut, leftOut }: PagePartDescription, what: string): string {
  if (isLast && isCut) return `This is the end of ${what}${words}. ${PAGE_END_NOT_STORED_NOTE}`;
  if (isLast) return `This is the end of ${what}${words}, the last part.`;
  return `This is the end of ${what}${words}. ${next === null ? leftOut : `Next: ${next}`}`;
}

export function describeSearchedPart({ words, next, before, isLast, isCut }: PagePartDescription): string {
  const onward = next === null ? [] : [`the next part: ${next}`];
  const back = before === null ? [] : [`the part before: ${before}`];
  const calls = [...onward, ...back];
  const missing = isLast && isCut ? ` ${PAGE_END_NOT_STORED_NOTE}` : '';
  return `Only ${words} was searched${calls.length === 0 ? '.' : `; then find in ${calls.join('; ')}`}${missing}`;
}

function openPageCall(url: string, page: number): string {
  const [address = ''] = url.split('#');
  return `open_url ${JSON.stringify({ url: `${address}#page=${page}` })}`;
}
