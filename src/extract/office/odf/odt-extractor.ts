import { noPause } from '#core/flow/turns.ts';
import { toExtracted } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { firstHeading, createHtmlReader } from '#extract/html-in-files.ts';
import { readFileTitle } from '#extract/office/package.ts';
import { listOdfNotes, writeOdfRest, readOdf } from './read-odf.ts';

export const odtExtractor: Extractor = { id: 'odt', version: '5', extract: extractOdt };

async function extractOdt(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const file = await readOdf(input, 'office:text');
  const html = `<!doctype html><html><body>${file.writer.content(file.body)}</body></html>`;
  await pause();
  const { markdown, cuts } = await (await createHtmlReader(pause))(html, input.url);
  const { rest, notes } = writeOdfRest(file);
  return toExtracted(
    odtExtractor,
    {
      title: readFileTitle(file.archive) ?? firstHeading(markdown),
      markdown,
      rest,
      cuts: [...cuts, ...notes, ...file.cuts, ...listOdfNotes(file)],
      strategy: 'content',
    },
    input,
  );
}
