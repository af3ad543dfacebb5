import { parseXml } from '#extract/xml/tree.ts';
import type { XmlTree } from '#extract/xml/tree.ts';

/** Characters of XML that are a tree at a time: some 5 MB of heap. */
const PIECE_CHARS = 256 * 1024;
/** What reading one of them costs, as a step. */
export const PIECE_COST = PIECE_CHARS;

/**
 * A long list in XML (rows, strings), read piece by piece: a tree of all of it would take twenty times its size. Each
 * piece ends behind an end tag of `name`, with any prefix; names in it are local. What stands around the list is in the
 * first and the last.
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
