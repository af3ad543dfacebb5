import { DIALOG_ROLES, displayRole } from '#browsing/tree/roles.ts';
import { leadingElement, noteLine, writeParts, writeWords } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';

/** Roles of headers, navigation, sidebars and footers, which are the same on every page of a web app. */
const AROUND: ReadonlySet<string> = new Set(
  ['banner', 'navigation', 'complementary', 'contentinfo'].map((role) => displayRole(role)),
);
/** A region may be the main content of the page, so it is folded only if all its lines were shown before. */
const REGION = displayRole('region');
/** Minimum lines to fold: folding fewer would save nothing, because the note takes a line as well. */
const FOLDED_LINES_MIN = 4;

/**
 * Removes lines that an earlier view showed from headers, navigation, sidebars, footers and unchanged regions. A note
 * on the first line reports how many: `navigation (12 lines as shown before)`.
 * @param known lines as they were shown, without indentation
 */
export function foldKnownLines(lines: readonly ViewLine[], known: ReadonlySet<string>): ViewLine[] {
  const ends = endsOf(lines);
  const isNew = lines.map((line) => !known.has(writeWords(line)));
  let count = 0;
  const newBefore = isNew.map((is) => (is ? count++ : count));
  const shown: ViewLine[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const end = ends[at];
    if (line === undefined || end === undefined) break;
    const role = line.kind === 'group' ? (leadingElement(line)?.role ?? '') : '';
    const news = (newBefore[end] ?? count) - (newBefore[at + 1] ?? count);
    const folded = end - at - 1 - news;
    const isFolded = folded >= FOLDED_LINES_MIN && folded >= news;
    if (isFolded && (AROUND.has(role) || (role === REGION && news === 0))) {
      shown.push({ ...line, parts: [...line.parts, ` (${folded} lines as shown before)`] });
      shown.push(...lines.slice(at + 1, end).filter((_, inside) => isNew[at + 1 + inside]));
      at = end;
    } else if (AROUND.has(role)) {
      shown.push(...lines.slice(at, end));
      at = end;
    } else {
      shown.push(line);
      at += 1;
    }
  }
  return shown;
}

/** Minimum known lines behind a new dialog to fold, and their minimum share of the lines there. */
const BEHIND_LINES_MIN = 10;
const BEHIND_SHARE_MIN = 0.8;

/**
 * Removes lines behind a dialog that earlier views have shown, if no earlier view has shown the dialog. The next view
 * shows them again.
 * @param known lines as they were shown, without indentation
 */
export function foldBehindNewDialog(lines: readonly ViewLine[], known: ReadonlySet<string>): readonly ViewLine[] {
  const [first] = lines;
  const isDialog = first?.kind === 'group' && DIALOG_ROLES.has(leadingElement(first)?.role ?? '');
  const end = isDialog ? (endsOf(lines)[0] ?? 0) : 0;
  const dialog = lines.slice(0, end);
  // Some lines of a dialog that was shown before may have changed, such as the time that is left.
  const newInDialog = dialog.filter((line) => !known.has(writeWords(line)));
  if (newInDialog.length * 2 <= dialog.length) return lines;
  const behind = lines.slice(end);
  const news = behind.filter((line) => !known.has(writeWords(line)) && !known.has(writeWithoutFocus(line)));
  const folded = behind.length - news.length;
  if (folded < BEHIND_LINES_MIN || folded < behind.length * BEHIND_SHARE_MIN) return lines;
  const note = `(${folded} lines behind the dialog as shown before; the next browser_snapshot lists them)`;
  return [...dialog, ...news, noteLine(note)];
}

/** The dialog has moved the focus, which is no news of the page behind it. */
function writeWithoutFocus({ parts }: ViewLine): string {
  return writeParts(parts, (part) => ({ ...part, states: part.states.filter((state) => state !== 'focused') }));
}

/** For each line, the index of the next line at the same or a smaller depth. */
function endsOf(lines: readonly ViewLine[]): number[] {
  const ends = lines.map(() => lines.length);
  const open: number[] = [];
  for (const [at, { depth }] of lines.entries()) {
    while (open.length > 0 && (lines[open.at(-1) ?? 0]?.depth ?? 0) >= depth) ends[open.pop() ?? 0] = at;
    open.push(at);
  }
  return ends;
}
