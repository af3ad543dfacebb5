import { parseXml } from '#extract/xml/tree.ts';
import type { XmlTree } from '#extract/xml/tree.ts';

/** Characters of XML that are held as a tree at a time: about 5 MB of heap. */
const PIECE_CHARS = 256 * 1024;
/** What reading one of them costs, as a step. */
export const PIECE_COST = PIECE_CHARS;

/**
 * Reads a long list in XML (rows, strings) piece by piece, because a tree of all of it would take twenty times its
 * size. Each piece ends after an end tag of `name`, with any prefix, and has local names. What surrounds the list is in
 * the first and the last piece.
 */
export function* piecesOf(source: string, name: string): Generator<XmlTree> {
  const endTag = new RegExp(`</(?:[\\w.-]+:)?${name}\\s*>`, 'g');
  for (let from = 0; from < source.length;) {
    endTag.lastIndex = from + PIECE_CHARS;
    const end = endTag.exec(source) === null ? source.length : endTag.lastIndex;
    yield parseXml(source.slice(from, end), 'local');
    from = end;
  }
}
