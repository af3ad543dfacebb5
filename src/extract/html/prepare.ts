import { prepareHtml } from './prepare-html.ts';
import type { Prepared, Reason } from './prepare-html.ts';

/** A hidden part that is larger than everything visible is the page itself, waiting for a script. */
const BULK_CHARS_MIN = 400;
/**
 * A part that is never drawn must be this many times larger before it counts as the page, because hidden text can be
 * used to smuggle instructions.
 */
const BULK_TIMES_MIN = 10;
/** A page with less visible text than this shows nothing. */
const NOTHING_CHARS_MAX = 100;

/**
 * Prepares a page for the DOM. Linear in its length; never throws. If nearly everything is hidden, the page needs a
 * script to show it, and its largest hidden part is read, too.
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

/** A reader must know that a person may not see this text. */
const HIDDEN_READ = 'The page shows next to nothing without scripts, so text that it hides was read.';
