import { asExtracted } from '#extract/as-extracted.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { fenceLines } from '#extract/fence.ts';
import { toPlain } from '#core/plain.ts';
import { indentXml } from './indent.ts';

/** If a line is longer than this, nobody laid out the file. */
const LAID_OUT_CHARS_MAX = 400;

/** XML as it was sent, in a code block. Text on one endless line is indented. Nothing is expanded or left out. */
export const xmlExtractor: Extractor = { id: 'xml', version: '2', extract: extractXml };

function extractXml(input: ExtractInput): Promise<Extracted> {
  const source = toPlain(input.text).trim();
  const laidOut = source.split('\n').every((line) => line.length <= LAID_OUT_CHARS_MAX);
  const shown = laidOut ? source : indentXml(source);
  return asExtracted(
    xmlExtractor,
    {
      title: null,
      markdown: source === '' ? [] : fenceLines(shown, 'xml'),
      cuts: [],
      strategy: laidOut ? 'as sent' : 'indented',
    },
    input,
  );
}
