import { zipSync } from 'fflate';
import { DOCX_XML_BYTES_MAX } from '#core/limits.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { asExtracted, unreadable } from '#extract/as-extracted.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { headingOf, htmlReader } from '#extract/read-html.ts';
import { coreTitle } from './core-title.ts';

const XML_PART = /\.(?:xml|rels)$/;

/** Word documents: mammoth makes HTML of their styles, and the HTML extractor Markdown. Images give their alt text. */
export const docxExtractor: Extractor = { id: 'docx', version: '1', extract: extractDocx };

async function extractDocx(input: ExtractInput): Promise<Extracted> {
  const archive = openArchive(input);
  const { markdown, cuts, title } = await (await htmlReader())(await htmlOf(archive, input), input.url);
  return asExtracted(docxExtractor, {
    title: coreTitle(archive) ?? title ?? headingOf(markdown),
    markdown,
    cuts,
    strategy: 'styles',
  });
}

async function htmlOf(archive: Archive, input: ExtractInput): Promise<string> {
  const mammoth = (await import('mammoth')).default;
  const parts = textParts(archive, input);
  // Packed anew, without pictures and within limits: mammoth unpacks whatever it is given. Which of the two inputs it
  // takes depends on how it is bundled.
  const arrayBuffer = zipSync(parts, { level: 0 }).buffer;
  const source = { arrayBuffer, buffer: arrayBuffer };
  const noImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  try {
    const options = { includeEmbeddedStyleMap: false, externalFileAccess: false, convertImage: noImage };
    const { value } = await mammoth.convertToHtml(source, options);
    return `<!doctype html><html><body>${value}</body></html>`;
  } catch (error) {
    return unreadable(input, 'the document is broken', error);
  }
}

function textParts(archive: Archive, input: ExtractInput): Record<string, Uint8Array> {
  const parts: Record<string, Uint8Array> = Object.create(null);
  let size = 0;
  for (const name of archive.names.filter((one) => XML_PART.test(one))) {
    const bytes = archive.bytes(name);
    if (bytes === null) continue;
    size += bytes.length;
    if (size > DOCX_XML_BYTES_MAX)
      unreadable(input, `the document has more than ${DOCX_XML_BYTES_MAX} bytes of text and styles`);
    parts[name] = bytes;
  }
  return parts;
}
