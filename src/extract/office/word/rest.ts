import { decodeXML } from 'entities/decode';
import type { Archive } from '#extract/archive.ts';
import { escapeInline, escapeLineStart, PLAIN } from '#extract/escape.ts';
import { childOf, namedChildren, descendantsOf, textOf } from '#extract/xml/tree.ts';
import type { XmlElement, XmlNode } from '#extract/xml/tree.ts';
import { restOf } from '#extract/office/package.ts';
import type { SideParts } from '#extract/office/package.ts';
import { isSet } from './numbering.ts';

const HEADER_OR_FOOTER = /(?:^|\/)(?:header|footer)\d*\.xml$/;
const COMMENTS = /(?:^|\/)comments\.xml$/;
const COMMENTS_MAX = 1_000;
const HEADERS_MAX = 60;
const ABOUT_CHARS_MAX = 160;

/**
 * Reads the comments, headers and footers of a Word document as Markdown.
 * @param document the XML of the main part
 */
export function wordRest(archive: Archive, document: string, side: SideParts): ReturnType<typeof restOf> {
  const headers = new Set<string>();
  for (const name of archive.names.filter((one) => HEADER_OR_FOOTER.test(one)).slice(0, HEADERS_MAX)) {
    const text = wordsIn(side.read(name));
    // A header with only a page number is left out.
    if (/\p{L}{2}/u.test(text)) headers.add(text);
  }
  return restOf(
    commentsOf(archive, document, side),
    [...headers].map((text) => `- ${written(text)}`),
  );
}

function commentsOf(archive: Archive, document: string, side: SideParts): string[] {
  const name = archive.names.find((one) => COMMENTS.test(one));
  if (name === undefined) return [];
  const about = commentedTexts(document);
  return descendantsOf(side.read(name), 'comment')
    .slice(0, COMMENTS_MAX)
    .flatMap((comment) => {
      const text = wordsIn(comment);
      if (text === '') return [];
      const author = comment.attributes['w:author']?.trim() ?? '';
      const words = about.get(comment.attributes['w:id'] ?? '') ?? '';
      const head = [author, words === '' ? '' : `on “${words}”`].filter((part) => part !== '').join(', ');
      return [`- ${written(head === '' ? text : `${head}: ${text}`)}`];
    });
}

function written(text: string): string {
  return escapeLineStart(escapeInline(text, PLAIN));
}

const RANGE_OR_TEXT = /<w:commentRange(Start|End) [^<>]*?w:id="(\d{1,9})"|<w:t(?: [^<>]*)?>([^<>]*)/g;
/** Maximum overlapping comments. Only files that were made to exhaust memory exceed this limit. */
const OPEN_MAX = 20;

/** Returns the texts that comments refer to, by comment id. Linear. */
function commentedTexts(document: string): Map<string, string> {
  const texts = new Map<string, string>();
  const open = new Set<string>();
  if (!document.includes('<w:commentRangeStart')) return texts;
  for (const [, kind, id = '', text = ''] of document.matchAll(RANGE_OR_TEXT)) {
    if (kind === 'Start' && open.size < OPEN_MAX) open.add(id);
    else if (kind === 'End') open.delete(id);
    else for (const one of open) texts.set(one, ((texts.get(one) ?? '') + text).slice(0, ABOUT_CHARS_MAX));
  }
  for (const [id, text] of texts) texts.set(id, decodeXML(text).replace(/\s+/g, ' ').trim());
  return texts;
}

function wordsIn(root: XmlElement | undefined): string {
  return descendantsOf(root, 'p').map(visible).join(' ').replace(/\s+/g, ' ').trim();
}

/** Returns the visible text of a node. The depth limit of the XML reader bounds the recursion. */
function visible(node: XmlNode): string {
  if (typeof node === 'string') return '';
  if (node.name === 't') return textOf(node);
  if (node.name === 'tab' || node.name === 'br' || node.name === 'cr' || node.name === 'ptab') return ' ';
  if (node.name === 'del' || node.name === 'moveFrom' || node.name === 'Fallback' || node.name === 'pPr') return '';
  const vanish = childOf(namedChildren(node, 'rPr')[0], 'vanish');
  if (vanish !== undefined && isSet(vanish)) return '';
  return node.children.map(visible).join('');
}
