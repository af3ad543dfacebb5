import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { identityOf } from './extractor.ts';
import type { ExtractInput, Extracted, Extractor } from './extractor.ts';
import { toLines } from './lines/lines.ts';
import { toPlain } from '#core/text/plain.ts';
import { inShares, noPause } from '#core/flow/turns.ts';

/** How much of a heading is read. Marks and link targets are not part of a title. */
const HEADING_CHARS_MAX = 4_000;
const HEADING = /^#{1,2}[ \t]+(?=\S)/;
const CLOSING_MARKS = /(?<!#)#+$/;
const FRONT_MATTER_TITLE = /^title:[ \t]*(?:"([^"]*)"|'([^']*)'|(.*))$/;
const MARKS = /[*_`]+|!?\[([^\]]*)\]\([^)]*\)/g;
/** A title that comes later is not a title. */
const TITLE_LINES_MAX = 60;

/** Markdown as the server sent it, without invisible characters. */
export const markdownExtractor: Extractor = { id: 'markdown', version: '2', extract: extractMarkdown };

async function extractMarkdown(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const source = toPlain(input.text).split('\n');
  await pause();
  const { lines, cuts } = await inShares(toLines(source), pause);
  return {
    title: titleOf(source),
    language: null,
    lines,
    extractor: identityOf(markdownExtractor),
    cuts,
    explanation: { strategy: 'as served', candidates: [] },
  };
}

function titleOf(source: readonly string[]): string | null {
  const top = source.slice(0, TITLE_LINES_MAX);
  if (top[0]?.trim() === '---') {
    for (const line of top) {
      const match = FRONT_MATTER_TITLE.exec(line);
      const title = match?.[1] ?? match?.[2] ?? match?.[3];
      if (title !== undefined && title.trim() !== '') return oneLine(title, TITLE_CHARS_MAX);
    }
  }
  for (const line of top) {
    const marks = HEADING.exec(line)?.[0];
    if (marks === undefined) continue;
    const heading = line.slice(marks.length, HEADING_CHARS_MAX).trimEnd().replace(CLOSING_MARKS, '').trimEnd();
    if (heading !== '') return oneLine(heading.replace(MARKS, '$1'), TITLE_CHARS_MAX);
  }
  return null;
}
