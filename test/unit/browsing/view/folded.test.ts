import { describe, expect, it } from 'vitest';
import { foldBehindNewDialog, foldKnownLines } from '#browsing/view/changes/folded.ts';
import { createShownElement, writeLine, writeWords } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';

const group = (role: string, depth = 0): ViewLine => ({
  depth,
  kind: 'group',
  parts: [createShownElement(null, role)],
});
const link = (at: number, depth = 1): ViewLine => {
  return { depth, kind: 'element', parts: [createShownElement(`@e${at}`, 'link', `"Page ${at}"`)] };
};
const text = (words: string): ViewLine => ({ depth: 0, kind: 'text', parts: [words] });

const MENU = [group('nav'), ...[1, 2, 3, 4, 5, 6].map((at) => link(at))];
const knownOf = (lines: readonly ViewLine[]) => new Set(lines.map(writeWords));
const folded = (lines: readonly ViewLine[], known: ReadonlySet<string>) => foldKnownLines(lines, known).map(writeLine);

describe('a requested view after a dialog has opened', () => {
  const dialog = [group('dialog'), link(90), link(91)];
  const page = Array.from({ length: 12 }, (_, at) => link(at, 0));
  const left = (seconds: number): ViewLine => ({ ...text(`${seconds} s`), depth: 1 });
  const written = (known: readonly ViewLine[], lines = [...dialog, ...page]) =>
    foldBehindNewDialog(lines, knownOf(known)).map(writeLine);

  it('shows the dialog, what is new, and one line for the page behind it', () => {
    const [first = text(''), ...others] = page;
    const focused = { ...first, parts: [createShownElement('@e0', 'link', '"Page 0"', ['focused'])] };
    expect(written(page, [...dialog, focused, ...others, text('News')])).toEqual([
      ...dialog.map(writeLine),
      'News',
      '(12 lines behind the dialog as shown before; the next browser_snapshot lists them)',
    ]);
  });

  it.each([
    ['the dialog was shown before', [...page, ...dialog]],
    ['the dialog was shown with another time left', [...page, ...dialog, left(59)], [...dialog, left(58), ...page]],
    ['the page was not shown before', page.slice(6)],
    ['no more than a few lines are behind it', page.slice(0, 4), [...dialog, ...page.slice(0, 4)]],
    ['no dialog is in front', page.slice(1), page],
  ])('shows everything if %s', (_, known, lines = [...dialog, ...page]) => {
    expect(written(known, lines)).toEqual(lines.map(writeLine));
  });
});

describe('a view after an action', () => {
  it('shows a navigation that was shown before as one line', () => {
    const lines = [text('Before'), ...MENU, text('Behind')];
    expect(folded(lines, knownOf(MENU))).toEqual(['Before', 'nav (6 lines as shown before)', 'Behind']);
  });

  it('shows new content inside a folded navigation', () => {
    const news: ViewLine = { ...link(9), parts: [createShownElement('@e9', 'link', '"Page 9"', ['current'])] };
    expect(folded([...MENU, news], knownOf(MENU))).toEqual([
      'nav (6 lines as shown before)',
      ' @e9 link "Page 9" current',
    ]);
  });

  it.each([
    ['was not shown', MENU, new Set<string>()],
    ['is mostly new', MENU, knownOf(MENU.slice(0, 4))],
    ['is short', MENU.slice(0, 4), knownOf(MENU)],
    ['is the content of the page', [group('main'), ...MENU.slice(1)], knownOf(MENU)],
  ])('does not fold a region that %s', (_, lines, known) => {
    expect(foldKnownLines(lines, known)).toEqual(lines);
  });

  it('shows a region without new content as one line', () => {
    const region = [group('region', 0), ...MENU.slice(1)];
    expect(folded([text('Before'), ...region], knownOf(region))).toEqual([
      'Before',
      'region (6 lines as shown before)',
    ]);
  });

  it('shows a region with new content, but folds the navigation in it', () => {
    const inner = [group('nav', 1), ...[1, 2, 3, 4].map((at) => link(at, 2))];
    const lines = [group('region'), ...inner, link(9)];
    expect(folded(lines, knownOf(inner))).toEqual(['region', ' nav (4 lines as shown before)', ' @e9 link "Page 9"']);
  });

  it('takes time in proportion to its lines, however deeply regions are nested', () => {
    let reads = 0;
    const known = new Set<string>();
    const has = known.has.bind(known);
    known.has = (words) => {
      reads += 1;
      return has(words);
    };
    const lines = Array.from({ length: 2_000 }, (_, depth) => group('region', depth));
    expect(foldKnownLines(lines, known)).toEqual(lines);
    expect(reads).toBe(lines.length);
  });

  it('folds nested regions into one line', () => {
    const inner = [group('nav', 1), ...[1, 2, 3, 4].map((at) => link(at, 2))];
    const lines = [group('header'), ...inner];
    expect(folded(lines, knownOf(lines))).toEqual(['header (5 lines as shown before)']);
  });
});
