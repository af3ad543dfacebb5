import { headingsOf, pageMarksOf } from '#core/headings.ts';
import type { Kind } from '#core/kinds.ts';

/**
 * The places of a file other than HTML that links can name: pages of a PDF or a long Word document as `page=12`, and
 * headings of Markdown by the names that sites give them when they turn the file into a page.
 */
export function placesOf(kind: Kind, lines: readonly string[]): ReadonlyMap<string, number> | undefined {
  if (kind === 'pdf' || kind === 'docx')
    return new Map([...pageMarksOf(lines)].map(([page, line]) => [`page=${page}`, line]));
  return kind === 'markdown' ? headingNames(lines) : undefined;
}

/** Names headings as GitHub and most site generators do. */
function headingNames(lines: readonly string[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { text, line } of headingsOf(lines)) {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let name = slug;
    for (let count = 1; names.has(name); count += 1) name = `${slug}-${count}`;
    names.set(name, line);
  }
  return names;
}
