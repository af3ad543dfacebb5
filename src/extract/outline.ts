import { mainLines } from '#core/document.ts';
import type { Extraction, OutlineEntry } from '#core/document.ts';
import { headingsOf, pageMarksOf } from '#core/headings.ts';
import { OUTLINE_LINES_MIN, OUTLINE_TEXT_CHARS_MAX, OUTLINE_TOKENS_MAX } from './limits.ts';
import { oneLine, utf8Bytes } from '#core/text.ts';

/** The share of an outline that goes to the pages of a PDF when it has headings, too. */
const PAGES_SHARE = 0.3;
/** If dropping a level would leave fewer entries than this, the level is thinned out instead. */
const ENTRIES_MIN = 8;
/** A heading text that occurs so often in a document is left out. */
const REPEATED_MIN = 4;

/**
 * The outline of the main part, within `OUTLINE_TOKENS_MAX`. The deepest levels are dropped first. Pages of a PDF are
 * thinned out evenly. Entries that were left out are counted. `undefined` for a document that is short or has neither
 * headings nor pages.
 */
export function outlineOf(extraction: Extraction): OutlineEntry[] | undefined {
  const lines = mainLines(extraction);
  if (lines.length <= OUTLINE_LINES_MIN) return undefined;
  const pages = [...pageMarksOf(lines)].map(([page, line]) => ({ line, level: 0, text: `page ${page}` }));
  const all = headingsOf(lines).map((heading) => ({ ...heading, text: oneLine(heading.text, OUTLINE_TEXT_CHARS_MAX) }));
  const headings = withoutRepeated(all);
  const forPages = headings.length === 0 ? OUTLINE_TOKENS_MAX : OUTLINE_TOKENS_MAX * PAGES_SHARE;
  const shownPages = thinned(pages, forPages);
  const shown = withinBudget(headings, OUTLINE_TOKENS_MAX - tokensOf(shownPages));
  const entries = [...shownPages, ...shown].toSorted((a, b) => a.line - b.line || a.level - b.level);
  return entries.length < 2 ? undefined : withOmitted(entries, all);
}

/** Leaves out headings that many sections share, such as "Parameters": beside others they tell nothing. */
function withoutRepeated(headings: readonly OutlineEntry[]): readonly OutlineEntry[] {
  const counts = new Map<string, number>();
  for (const { text } of headings) counts.set(text, (counts.get(text) ?? 0) + 1);
  const others = headings.filter(({ text }) => (counts.get(text) ?? 0) < REPEATED_MIN);
  return others.length < 2 ? headings : others;
}

/**
 * Notes at each entry how many headings before the next one are left out. The first entry counts those before it, too.
 */
function withOmitted(entries: readonly OutlineEntry[], all: readonly OutlineEntry[]): OutlineEntry[] {
  const shown = new Set(entries.filter(({ level }) => level > 0).map(({ line }) => line));
  const left = all.filter(({ line }) => !shown.has(line));
  return entries.map((entry, index) => {
    const from = index === 0 ? 0 : entry.line;
    const end = entries[index + 1]?.line ?? Infinity;
    const omitted = left.filter(({ line }) => line >= from && line < end).length;
    return omitted === 0 ? entry : { ...entry, omitted };
  });
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

/** Every nth entry, so that they fit. */
function thinned(entries: readonly OutlineEntry[], budget: number): OutlineEntry[] {
  const step = Math.ceil(tokensOf(entries) / Math.max(1, budget));
  let kept = entries.filter((_, index) => index % Math.max(1, step) === 0);
  while (kept.length > 0 && tokensOf(kept) > budget) kept = kept.slice(0, -1);
  return kept;
}

/** `L123: ## ` is about six tokens; three bytes of text are about one. */
function tokensOf(entries: readonly OutlineEntry[]): number {
  return entries.reduce((sum, { text }) => sum + 6 + Math.ceil(utf8Bytes(text) / 3), 0);
}
