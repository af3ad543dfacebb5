import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { Page, PageDocument } from '#browsing/view/page/page.ts';
import { noteLine } from './view-line.ts';
import type { ViewLine } from './view-line.ts';

/** Notes for a page that is too large for one view: the part shown, and how to get the other parts. */
export function describeViewPart(
  page: Page,
  part: PageDocument['part'],
  from: number | null,
  isSearch: boolean,
): ViewLine[] {
  const others = page.documents.filter(({ part: other }) => other !== part && (other?.next ?? null) !== null);
  const inFrames =
    others.length === 0
      ? []
      : [`(only the beginning of ${others.length} large frames is shown: pass a selector inside a frame to see more)`];
  const isDivided = part !== null && (from !== null || part.next !== null);
  const which = from === null ? 'its beginning' : part?.next === null ? 'its last part' : 'a part of it';
  const searched = isSearch ? `${which} was searched` : `this is ${which}`;
  const more =
    (part?.next ?? null) === null
      ? ''
      : '; make the call after "Next" for the following part, or pass a selector for another part';
  const own = isDivided ? [`(a large page of about ${rounded(part.elements)} elements: ${searched}${more})`] : [];
  return [...own, ...inFrames].map(noteLine);
}

/** Note on the number of visible text lines that are missing from both the accessibility tree and this view. */
export function notesOnHiddenLines({ documents }: Page): ViewLine[] {
  const left = documents.reduce((sum, { facts }) => sum + facts.silentLeft, 0);
  return left === 0
    ? []
    : [
        noteLine(
          `(${left} more lines are hidden from accessibility only: browser_read or browser_screenshot shows them)`,
        ),
      ];
}

/**
 * Note on documents in which a secret was filled in or a person typed, if they show a masked value. All values of text
 * fields are masked there, because a page script may have copied the input into another field.
 */
export function describeMaskedFields({ documents }: Page, tab: Tab): ViewLine[] {
  const masked = documents.filter(({ frame }) => tab.typedIn.has(frame.loaderId));
  const holdsValue = masked.some(({ root, secrets }) =>
    [...everyElement(root)].some(
      ({ value, backendNodeId }) => NO_PASSWORD.test(value) && secrets.has(backendNodeId ?? 0),
    ),
  );
  return holdsValue ? [MASKED] : [];
}

/** Matches values with characters other than dots. Chromium reports a password as dots, which needs no note. */
const NO_PASSWORD = /[^•]/u;
const MASKED = noteLine(
  "(all field values are masked, because a secret or a person's text was typed on this page; they show again once the page is reloaded)",
);

/** Rounds to two digits, so that the note stays the same when the page changes slightly. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(Math.floor(Math.log10(Math.max(count, 1))) - 1, 0);
  return Math.round(count / unit) * unit;
}

/** Note for a search by a regular expression. In-page scripts read only the beginning of a long text for it. */
export function noteUnsearchedTexts({ documents }: Page): ViewLine[] {
  const isCut = documents.some(({ part }) => [...(part?.excerpts.values() ?? [])].some(({ unread }) => unread > 0));
  return isCut ? [UNSEARCHED_NOTE] : [];
}

const UNSEARCHED_NOTE = noteLine(
  '(the regular expression was compared with only the first 8,000 characters of each long text; to search all of a long text, pass plain words as find, or call browser_read)',
);

/** Note for a page that was too busy to report its event listeners. */
export const LISTENERS_UNKNOWN_NOTE = noteLine(
  '(elements that react to clicks only through event listeners could not be detected: they have no refs here)',
);
