import { prepareHtml } from './prepare-html.ts';
import type { Prepared, Reason } from './prepare-html.ts';

/** A part left out that is larger than all the rest is the page itself, waiting for a script. */
const BULK_CHARS_MIN = 400;
/** A part never drawn must outweigh what is by this before it counts as the page: hiding is how text is smuggled. */
const BULK_TIMES_MIN = 10;
/** A page that shows less than this shows nothing. */
const NOTHING_CHARS_MAX = 100;

/**
 * Prepares a page. Linear in its length; never throws, whatever the source holds. When nearly everything is hidden, the
 * page is one that a script shows: its hidden bulk is read after all.
 */
export function preparePage(html: string, xml: boolean): Prepared {
  const strict = prepareHtml(html, { keep: new Set(), xml });
  const { late, noscript, never } = strict.hiddenChars;
  const keep = new Set<Reason>();
  if (late > BULK_CHARS_MIN && late > strict.textChars) keep.add('late');
  else if (noscript > BULK_CHARS_MIN && noscript > strict.textChars) keep.add('noscript');
  else if (
    never > BULK_CHARS_MIN &&
    (strict.textChars < NOTHING_CHARS_MAX || never > strict.textChars * BULK_TIMES_MIN)
  )
    keep.add('late').add('never');
  if (keep.size === 0) return strict;
  const whole = prepareHtml(html, { keep, xml });
  return { ...whole, cuts: [...whole.cuts, HIDDEN_READ] };
}

/** A reader must know that a person at this page may not see what stands here. */
const HIDDEN_READ = 'The page shows next to nothing without scripts, so text that it hides was read.';
