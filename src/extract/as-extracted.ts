import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { fail } from '#core/failures/failure.ts';
import { FILE_CHARS_MAX } from './limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { oneLine } from '#core/text/text.ts';
import { identityOf } from './extractor.ts';
import type { ExtractInput, Extracted, Extractor } from './extractor.ts';
import { toLines } from './lines/lines.ts';
import { toPlain } from '#core/text/plain.ts';
import { inShares, noPause } from '#core/flow/turns.ts';
import { closed } from './escape.ts';

/** A file as Markdown, before it is split into citable lines. */
export type Written = {
  title: string | null;
  language?: string | null;
  markdown: readonly string[];
  cuts: readonly string[];
  strategy: string;
};

/** The result of an extractor for which the whole file is content. Text beyond `FILE_CHARS_MAX` is cut. */
export async function asExtracted(
  extractor: Extractor,
  written: Written,
  { pause = noPause }: ExtractInput,
): Promise<Extracted> {
  const { kept, cuts: tooLong } = withinBudget(written.markdown);
  await pause();
  const { lines, cuts } = await inShares(toLines(toPlain(kept.join('\n')).split('\n')), pause);
  const title = written.title === null ? '' : oneLine(written.title, TITLE_CHARS_MAX);
  return {
    title: title === '' ? null : title,
    language: written.language ?? null,
    lines: lines.every((line) => line.trim() === '') ? [] : lines,
    extractor: identityOf(extractor),
    cuts: [...new Set([...written.cuts, ...tooLong, ...cuts])],
    explanation: { strategy: written.strategy, candidates: [] },
  };
}

/** `reason` completes the sentence "No readable text was found: …". It holds our own words only. */
export function unreadable(input: ExtractInput, reason: string, cause?: unknown): never {
  fail({ code: 'extract_failed', url: redactUrl(input.url), reason, of: 'file' }, { cause });
}

function withinBudget(markdown: readonly string[]): { kept: readonly string[]; cuts: string[] } {
  let chars = 0;
  for (const [index, line] of markdown.entries()) {
    chars += line.length + 1;
    if (chars <= FILE_CHARS_MAX) continue;
    const rest = line.slice(0, Math.max(0, line.length - (chars - FILE_CHARS_MAX)));
    return {
      kept: closed([...markdown.slice(0, index), rest]),
      cuts: [`The file has more than ${FILE_CHARS_MAX} characters of text: the rest was left out.`],
    };
  }
  return { kept: markdown, cuts: [] };
}
