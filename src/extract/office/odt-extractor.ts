import { escapeUTF8 } from 'entities/escape';
import { OFFICE_XML_BYTES_MAX, DOM_CHARS_MAX } from '#extract/limits.ts';
import { noPause } from '#core/flow/turns.ts';
import { openArchive } from '#extract/archive.ts';
import { toExtracted, failUnreadable } from '#extract/extractor.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { firstHeading, htmlReader } from '#extract/html-in-files.ts';
import { descendantsOf, parseXml } from '#extract/xml/tree.ts';
import type { XmlElement, XmlNode } from '#extract/xml/tree.ts';
import { coreTitle } from './package.ts';

/** Elements of OpenDocument 1.3 → HTML. Any other element is replaced by its content. */
const TAGS: Readonly<Record<string, string>> = {
  'text:p': 'p',
  'text:list': 'ul',
  'text:list-item': 'li',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
  'text:note': 'small',
};
/** Comments, deleted text, and text that is generated for an index or a note's number. */
const DROPPED = new Set([
  'office:annotation',
  'text:tracked-changes',
  'text:note-citation',
  'office:forms',
  'svg:title',
]);
const SPACES_MAX = 100;

/** OpenDocument texts: headings, paragraphs, lists, tables and links. */
export const odtExtractor: Extractor = { id: 'odt', version: '2', extract: extractOdt };

async function extractOdt(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const archive = openArchive(input);
  const source = archive.text('content.xml', OFFICE_XML_BYTES_MAX);
  await pause();
  const { document, cut: isCut } = parseXml(source ?? '', 'as written', DOM_CHARS_MAX);
  await pause();
  const cut = isCut || archive.size('content.xml') > OFFICE_XML_BYTES_MAX;
  const [text] = descendantsOf(document, 'office:text');
  if (text === undefined) return failUnreadable(input, 'the document is broken or encrypted');
  const html = `<!doctype html><html><body>${htmlOf(text)}</body></html>`;
  await pause();
  const { markdown, cuts } = await (await htmlReader(pause))(html, input.url);
  return toExtracted(
    odtExtractor,
    {
      title: coreTitle(archive) ?? firstHeading(markdown),
      markdown,
      cuts: cut ? [...cuts, 'The document is too deep or too large: the rest was left out.'] : cuts,
      strategy: 'content',
    },
    input,
  );
}

/** Recursive: the tree is never deeper than `XML_DEPTH_MAX`. */
function htmlOf(node: XmlNode): string {
  if (typeof node === 'string') return escapeUTF8(node);
  if (DROPPED.has(node.name)) return '';
  switch (node.name) {
    case 'text:line-break':
      return '<br>';
    case 'text:tab':
      return ' ';
    case 'text:s':
      return ' '.repeat(Math.min(SPACES_MAX, Math.max(1, Math.trunc(Number(node.attributes['text:c'] ?? 1)) || 1)));
    default:
      return around(node, node.children.map(htmlOf).join(''));
  }
}

function around(element: XmlElement, content: string): string {
  if (element.name === 'text:h') {
    const level = Math.min(6, Math.max(1, Math.trunc(Number(element.attributes['text:outline-level'] ?? 1)) || 1));
    return `<h${level}>${content}</h${level}>`;
  }
  if (element.name === 'text:a')
    return `<a href="${escapeUTF8(element.attributes['xlink:href'] ?? '')}">${content}</a>`;
  const tag = TAGS[element.name];
  if (tag === 'small') return ` (${content.replace(/<\/?p>/g, '')})`;
  return tag === undefined ? content : `<${tag}>${content}</${tag}>`;
}
