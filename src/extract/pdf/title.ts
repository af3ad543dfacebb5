import type { PageLines } from './segments.ts';
import { roundSize } from './style.ts';
import type { TextStyle } from './style.ts';

const FILE_LIKE =
  /\.(?:docx?|odt|rtf|tex|dvi|ps|pdf|indd|qxd|pptx?|xlsx?|txt|html?|fm)$|^microsoft \w+ - |^untitled|^\W*$/i;
/**
 * Minimum share of the title's words that occur on the first pages. For titles of templates or old editions, the share
 * is lower.
 */
const WORDS_SHARE_MIN = 0.6;
const FIRST_PAGES = 2;
const HEADING_LINES_MAX = 3;

/** @param head header of the first page, which is the title of a document without headings */
export function choosePdfTitle(
  info: unknown,
  pages: readonly PageLines[],
  style: TextStyle,
  head: string | null,
): string | null {
  const title = readDeclaredTitle(info);
  return title !== null && isShown(title, pages) ? title : (headingOf(pages[0], style) ?? head);
}

/**
 * Returns the title in the file's metadata; `null` without one, or if it is the name of a file or a default such as
 * `Untitled`.
 */
export function readDeclaredTitle(info: unknown): string | null {
  const declared = typeof info === 'object' && info !== null && 'Title' in info ? info.Title : null;
  const title = typeof declared === 'string' ? declared.trim() : '';
  return title === '' || FILE_LIKE.test(title) ? null : title;
}

function isShown(title: string, pages: readonly PageLines[]): boolean {
  const shown = pages.slice(0, FIRST_PAGES).flatMap((page) => page.regions.flat().map((line) => line.plain));
  const text = wordsOf(shown.join(' '));
  const words = [...wordsOf(title)];
  return words.filter((word) => text.has(word)).length >= words.length * WORDS_SHARE_MIN;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function headingOf(page: PageLines | undefined, style: TextStyle): string | null {
  const lines = page?.regions.flat() ?? [];
  const size = lines
    .map((line) => roundSize(line.size))
    .filter((one) => style.levels.has(one))
    .reduce((most, one) => Math.max(most, one), 0);
  const first = lines.findIndex((line) => roundSize(line.size) === size && /\p{L}{2}/u.test(line.plain));
  if (size === 0 || first < 0) return null;
  const parts: string[] = [];
  for (const line of lines.slice(first, first + HEADING_LINES_MAX)) {
    if (roundSize(line.size) !== size) break;
    parts.push(line.plain);
  }
  return parts.join(' ');
}
