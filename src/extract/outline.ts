import { mainLines } from '#core/document.ts';
import type { Extraction, OutlineEntry } from '#core/document.ts';
import { headingsOf, pageMarksOf } from '#core/headings.ts';
import { OUTLINE_LINES_MIN, OUTLINE_TEXT_CHARS_MAX, OUTLINE_TOKENS_MAX } from '#core/limits.ts';
import { oneLine, utf8Bytes } from '#core/text.ts';

/** Share of an outline that the pages of a PDF get beside its headings. */
const PAGES_SHARE = 0.3;
/** With fewer entries than this, a level that does not fit is thinned out instead of dropped. */
const ENTRIES_MIN = 8;

/**
 * The headings of the main part within `OUTLINE_TOKENS_MAX`, the deepest levels dropped first; pages of a PDF, as many as
 * fit, evenly. Missing for a document that is short or has neither.
 */
export function outlineOf(extraction: Extraction): OutlineEntry[] | undefined {
  const lines = mainLines(extraction);
  if (lines.length <= OUTLINE_LINES_MIN) return undefined;
  const pages = [...pageMarksOf(lines)].map(([page, line]) => ({ line, level: 0, text: `page ${page}` }));
  const headings = headingsOf(lines).map((heading) => ({
    ...heading,
    text: oneLine(heading.text, OUTLINE_TEXT_CHARS_MAX),
  }));
  const forPages = headings.length === 0 ? OUTLINE_TOKENS_MAX : OUTLINE_TOKENS_MAX * PAGES_SHARE;
  const shownPages = thinned(pages, forPages);
  const shown = withinBudget(headings, OUTLINE_TOKENS_MAX - tokensOf(shownPages));
  const entries = [...shownPages, ...shown].toSorted((a, b) => a.line - b.line || a.level - b.level);
  return entries.length < 2 ? undefined : entries;
}

function withinBudget(headings: readonly OutlineEntry[], budget: number): OutlineEntry[] {
  let shown: OutlineEntry[] = [];
  for (let level = 1; level <= 6; level += 1) {
    const more = headings.filter((heading) => heading.level === level);
    if (tokensOf(shown) + tokensOf(more) <= budget) shown = [...shown, ...more];
    else return shown.length < ENTRIES_MIN ? [...shown, ...thinned(more, budget - tokensOf(shown))] : shown;
  }
  return shown;
}

/** Every nth of the entries, so that they fit. */
function thinned(entries: readonly OutlineEntry[], budget: number): OutlineEntry[] {
  const step = Math.ceil(tokensOf(entries) / Math.max(1, budget));
  let kept = entries.filter((_, index) => index % Math.max(1, step) === 0);
  while (kept.length > 0 && tokensOf(kept) > budget) kept = kept.slice(0, -1);
  return kept;
}

/** `L123: ## ` is about six tokens; text about one for three bytes. */
function tokensOf(entries: readonly OutlineEntry[]): number {
  return entries.reduce((sum, { text }) => sum + 6 + Math.ceil(utf8Bytes(text) / 3), 0);
}
