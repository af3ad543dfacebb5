import type { Archive } from '#extract/archive.ts';
import { escapeInline, escapeLineStart } from '#extract/escape.ts';
import { childOf, childrenOf, descendantsOf, textOf } from '#extract/xml/tree.ts';
import type { XmlElement, XmlNode } from '#extract/xml/tree.ts';
import { readPart, restOf } from '#extract/office/package.ts';
import { isSet } from './numbering.ts';

const HEADER_OR_FOOTER = /(?:^|\/)(?:header|footer)\d*\.xml$/;
const COMMENTS = /(?:^|\/)comments\.xml$/;
const COMMENTS_MAX = 1_000;
const HEADERS_MAX = 60;
/** Characters of the text that a comment is about. */
const ABOUT_CHARS_MAX = 160;
const PLAIN = { inLink: false, inCell: false };

/** Comments, headers and footers of a Word document as Markdown. `document` is its main part. */
export function wordRest(archive: Archive, document: string): ReturnType<typeof restOf> {
  const headers = new Set<string>();
  for (const name of archive.names.filter((one) => HEADER_OR_FOOTER.test(one)).slice(0, HEADERS_MAX)) {
    const text = wordsIn(readPart(archive, name)?.root);
    // Numbers of pages alone say nothing.
    if (/\p{L}{2}/u.test(text)) headers.add(text);
  }
  return restOf(
    commentsOf(archive, document),
    [...headers].map((text) => `- ${written(text)}`),
  );
}

function commentsOf(archive: Archive, document: string): string[] {
  const name = archive.names.find((one) => COMMENTS.test(one));
  if (name === undefined) return [];
  const about = commentedTexts(document);
  return descendantsOf(readPart(archive, name)?.root, 'comment')
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
/** Comments whose texts are collected at a time. More are open only in files that somebody made for this. */
const OPEN_MAX = 20;

/** The texts that comments are about, by the ids of the comments. Linear. */
function commentedTexts(document: string): Map<string, string> {
  const texts = new Map<string, string>();
  const open = new Set<string>();
  if (!document.includes('<w:commentRangeStart')) return texts;
  for (const [, kind, id = '', text = ''] of document.matchAll(RANGE_OR_TEXT)) {
    if (kind === 'Start' && open.size < OPEN_MAX) open.add(id);
    else if (kind === 'End') open.delete(id);
    else for (const one of open) texts.set(one, ((texts.get(one) ?? '') + text).slice(0, ABOUT_CHARS_MAX));
  }
  for (const [id, text] of texts) texts.set(id, decoded(text).replace(/\s+/g, ' ').trim());
  return texts;
}

function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** The visible text of a part in one line. */
function wordsIn(root: XmlElement | undefined): string {
  return descendantsOf(root, 'p').map(visible).join(' ').replace(/\s+/g, ' ').trim();
}

/** Recursive: the tree is never deeper than the XML reader allows. */
function visible(node: XmlNode): string {
  if (typeof node === 'string') return '';
  if (node.name === 't') return textOf(node);
  if (node.name === 'tab' || node.name === 'br' || node.name === 'cr' || node.name === 'ptab') return ' ';
  if (node.name === 'del' || node.name === 'moveFrom' || node.name === 'Fallback' || node.name === 'pPr') return '';
  const vanish = childOf(childrenOf(node, 'rPr')[0], 'vanish');
  if (vanish !== undefined && isSet(vanish)) return '';
  return node.children.map(visible).join('');
}
