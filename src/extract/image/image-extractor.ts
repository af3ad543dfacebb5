import { escapeInline } from '#extract/escape.ts';
import { failUnreadableFile, toExtracted } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { readPictureHeader } from './header.ts';
import { readPictureTexts } from './picture-words.ts';

/** Extracts facts about a picture without decoding it: format, size, title, alternative text, labels of an SVG. */
export const imageExtractor: Extractor = { id: 'image', version: '1', extract: extractImage };

async function extractImage(input: ExtractInput): Promise<ExtractedText> {
  const header = readPictureHeader(input.bytes);
  if (header === null) return failUnreadableFile(input, 'the picture is broken or incomplete');
  const { format, size, isAnimated } = header;
  const { title, description, labels } = readPictureTexts(input.bytes, format === 'SVG');
  const plain = (text: string) => escapeInline(text, { inLink: false, inCell: false });
  const pixels = size === null ? [] : [`${Math.round(size.width)} × ${Math.round(size.height)} pixels`];
  const facts = [`${format} image`, ...pixels, `${input.bytes.length} bytes`, ...(isAnimated ? ['animated'] : [])];
  const markdown = [
    `${facts.join(', ')}.`,
    ...(title === '' ? [] : ['', `Title: ${plain(title)}`]),
    ...(description === '' ? [] : ['', `Alternative text: ${plain(description)}`]),
    ...(labels.length === 0 ? [] : ['', 'Labels:', '', ...labels.map((label) => `- ${plain(label)}`)]),
  ];
  const written = { title: title === '' ? null : title, markdown, cuts: [], strategy: 'facts' };
  return { ...(await toExtracted(imageExtractor, written, input)), toView: { page: null } };
}
