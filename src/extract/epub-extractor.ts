import { percentDecode } from '#core/text/text.ts';
import { FILE_MARKDOWN_CHARS_MAX } from './limits.ts';
import { openArchive } from './archive.ts';
import type { Archive } from './archive.ts';
import { toExtracted, failUnreadableFile } from './extractor.ts';
import { escapeInline, PLAIN_CONTEXT } from './escape.ts';
import type { ExtractInput, ExtractedText, Extractor } from './extractor.ts';
import { appendLines, createHtmlReader } from './html-in-files.ts';
import { descendantsOf, firstNamedChild, namedChildren, parseXml, textOf } from './xml/tree.ts';

/** Base URL of links inside a book. Such links become plain text, because no reader can open them outside the book. */
const INSIDE = 'epub:///';
const CHAPTER_TYPES = new Set(['application/xhtml+xml', 'text/html', 'application/x-dtbook+xml']);

/** Extracts EPUB 2 and 3: the chapters in reading order (the spine), each after a line `<!-- chapter n -->`. */
export const epubExtractor: Extractor = { id: 'epub', version: '4', extract: extractEpub };

async function extractEpub(input: ExtractInput): Promise<ExtractedText> {
  const archive = openArchive(input);
  const book = bookOf(archive);
  if (book === null) return failUnreadableFile(input, 'the book has no list of its contents');
  const encrypted = encryptedNames(archive);
  if (book.chapters.some((name) => encrypted.has(name))) return failUnreadableFile(input, 'the book is encrypted');
  const reader = await createHtmlReader(input.pause);
  const title = book.title === '' ? [] : [`# ${escapeInline(book.title, PLAIN_CONTEXT)}`, ''];
  const by = book.authors.length === 0 ? [] : [escapeInline(book.authors.join(', '), PLAIN_CONTEXT), ''];
  const markdown = [...title, ...by];
  const cuts = new Set<string>();
  let chars = 0;
  for (const [index, name] of book.chapters.entries()) {
    if (chars > FILE_MARKDOWN_CHARS_MAX) {
      cuts.add(`The book has ${book.chapters.length} chapters: those after ${index} were left out.`);
      break;
    }
    const source = archive.text(name);
    if (source === null) {
      cuts.add('Chapters that are missing from the file were left out.');
      continue;
    }
    const chapter = await reader(source, `${INSIDE}${name}`, 'xhtml');
    if (chapter.isLeftOut) {
      cuts.add(`The book has ${book.chapters.length} chapters: those after ${index} were left out.`);
      break;
    }
    if (chapter.markdown.length === 0) continue;
    for (const cut of chapter.cuts) cuts.add(cut);
    for (const line of chapter.markdown) chars += line.length + 1;
    appendLines(markdown, [`<!-- chapter ${index + 1} -->`, '', ...chapter.markdown, '']);
  }
  if (chars === 0) return failUnreadableFile(input, 'the book has no text');
  return toExtracted(
    epubExtractor,
    {
      title: book.title === '' ? null : book.title,
      language: book.language,
      markdown,
      cuts: [...cuts],
      strategy: 'spine',
    },
    input,
  );
}

type Book = { title: string; authors: string[]; language: string | null; chapters: string[] };

function bookOf(archive: Archive): Book | null {
  const container = archive.text('META-INF/container.xml');
  if (container === null) return null;
  const path = descendantsOf(parseXml(container).document, 'rootfile')[0]?.attributes['full-path'] ?? '';
  const source = archive.text(path);
  if (source === null) return null;
  const root = firstNamedChild(parseXml(source).document, 'package', 'opf:package');
  const metadata = firstNamedChild(root, 'metadata', 'opf:metadata');
  const items = new Map(
    namedChildren(firstNamedChild(root, 'manifest', 'opf:manifest'), 'item', 'opf:item').map(({ attributes }) => [
      attributes['id'] ?? '',
      attributes,
    ]),
  );
  const chapters = namedChildren(firstNamedChild(root, 'spine', 'opf:spine'), 'itemref', 'opf:itemref').flatMap(
    ({ attributes }) => {
      const item = items.get(attributes['idref'] ?? '');
      return item !== undefined && CHAPTER_TYPES.has(item['media-type'] ?? '')
        ? [resolve(path, item['href'] ?? '')]
        : [];
    },
  );
  const language = textOf(firstNamedChild(metadata, 'dc:language')).trim();
  return {
    title: textOf(firstNamedChild(metadata, 'dc:title')).replace(/\s+/g, ' ').trim(),
    authors: namedChildren(metadata, 'dc:creator').map((creator) => textOf(creator).replace(/\s+/g, ' ').trim()),
    language: /^[a-z]{2,3}(?:-[\w-]{1,20})?$/i.test(language) ? language : null,
    chapters: [...new Set(chapters)],
  };
}

/** Returns the entries that META-INF/encryption.xml lists. Books without DRM may list their obfuscated fonts there. */
function encryptedNames(archive: Archive): ReadonlySet<string> {
  const source = archive.text('META-INF/encryption.xml');
  const { document } = parseXml(source ?? '');
  const references = descendantsOf(document, 'CipherReference', 'enc:CipherReference', 'xenc:CipherReference');
  return new Set(references.map(({ attributes }) => resolve('', attributes['URI'] ?? '')));
}

/** Resolves a link in the entry `from` to an entry's name. Returns an empty string for a URL outside the book. */
function resolve(from: string, href: string): string {
  const url = URL.parse(href, `${INSIDE}${from}`);
  if (url === null || url.protocol !== 'epub:') return '';
  return percentDecode(url.pathname).replace(/^\/+/, '');
}
