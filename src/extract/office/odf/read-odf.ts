import { DOM_CHARS_MAX, OFFICE_XML_BYTES_MAX } from '#extract/limits.ts';
import { noPause } from '#core/flow/turns.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { escapeInline, escapeLineStart, PLAIN_CONTEXT } from '#extract/escape.ts';
import { failUnreadableFile } from '#extract/extractor.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import { descendantsOf, parseXml, textOf, renamePrefixes } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { writeCommentsAndHeaders, SidePartReader, TRACKED_CHANGES_NOTE } from '#extract/office/package.ts';
import { OdfStyles } from './styles.ts';
import { OdfWriter } from './writer.ts';

export type OdfFile = {
  archive: Archive;
  body: XmlElement;
  styles: OdfStyles;
  writer: OdfWriter;
  parts: SidePartReader;
  /** Sentences for the result that say which limits the whole file reached. */
  cuts: string[];
  headers: string[];
};

const NAMES = 'office style text table draw presentation chart form'.split(' ');
const PREFIXES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(NAMES.map((name) => [`urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`, name])),
  'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0': 'draw',
  'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0': 'fo',
  'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0': 'svg',
  'urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0': 'loext',
  'http://www.w3.org/1999/xlink': 'xlink',
  'http://purl.org/dc/elements/1.1/': 'dc',
};
const STYLES_BYTES_MAX = 4 * 1024 * 1024;
const HEADERS_MAX = 60;

/** Opens an OpenDocument file. @param root name of the element with its content, such as `office:text` */
export async function readOdf(input: ExtractInput, root: string): Promise<OdfFile> {
  const { pause = noPause } = input;
  const archive = openArchive(input);
  const source = archive.text('content.xml', OFFICE_XML_BYTES_MAX);
  await pause();
  const { document, cut: isCut } = parseXml(renamePrefixes(source ?? '', PREFIXES), 'as written', DOM_CHARS_MAX);
  await pause();
  const [body] = descendantsOf(document, root);
  if (body === undefined) return failUnreadableFile(input, 'the document is broken or encrypted');
  const named = parseXml(renamePrefixes(archive.text('styles.xml', STYLES_BYTES_MAX) ?? '', PREFIXES)).document;
  await pause();
  const styles = new OdfStyles([named, document]);
  const cuts: string[] = [];
  if (isCut || archive.size('content.xml') > OFFICE_XML_BYTES_MAX)
    cuts.push('The document is too deep or too large: the rest was left out.');
  if (descendantsOf(body, 'text:changed-region').length > 0) cuts.push(TRACKED_CHANGES_NOTE);
  const parts = new SidePartReader(archive);
  return { archive, body, styles, parts, writer: new OdfWriter(parts, styles), cuts, headers: headersOf(named) };
}

function headersOf(styles: XmlElement): string[] {
  const texts = descendantsOf(styles, 'style:header', 'style:footer')
    .slice(0, HEADERS_MAX)
    .map((part) => descendantsOf(part, 'text:p').map(textOf).join(' ').replace(/\s+/g, ' ').trim());
  return [...new Set(texts)].filter((text) => /\p{L}{2}/u.test(text));
}

export function writeOdfRest({ writer, headers }: OdfFile): ReturnType<typeof writeCommentsAndHeaders> {
  const line = (text: string) => `- ${escapeLineStart(escapeInline(text, PLAIN_CONTEXT))}`;
  const comments = writer.comments.map(({ author, text }) => line(author === '' ? text : `${author}: ${text}`));
  return writeCommentsAndHeaders(comments, headers.map(line));
}

/** Returns sentences about omitted text. They are complete only after the content was written. */
export function listOdfNotes({ writer, parts }: OdfFile): string[] {
  return [...(writer.hasHidden ? ['Hidden text was left out.'] : []), ...parts.notes];
}
