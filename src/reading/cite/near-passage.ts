import type { Viewport } from '#core/document/document.ts';
import type { Pause } from '#core/flow/turns.ts';
import { QUOTE_CHARS_PER_PAUSE } from '#reading/limits.ts';
import { questionFromQuote } from '#ranking/question.ts';
import { PassageRanking } from '#ranking/rank.ts';
import { rankDocuments } from '#reading/passages/rank-documents.ts';
import { LineNormalizer } from './quote-text.ts';
import type { StoredLineChunks } from './quote-text.ts';

/** Minimum share of the quote's words that a similar passage has. A passage with fewer is a different text. */
const NEAR_SHARE_MIN = 0.4;

type NearPassage = { lines: Viewport; text: string };

/**
 * Returns the passage that is most similar to the quote; `null` if no passage has enough of its words.
 * @param scan reads the text from its beginning
 */
export async function findNearestPassage(
  quote: string,
  scan: () => StoredLineChunks,
  pause: Pause,
): Promise<NearPassage | null> {
  const ranking = new PassageRanking(questionFromQuote(quote));
  await rankDocuments([{ title: null, restStart: null, chunks: scan }], ranking, pause);
  const [best] = ranking.passages(1);
  if (best === undefined || best.share < NEAR_SHARE_MIN) return null;
  const { start, end } = best.tight;
  const form = new LineNormalizer('read');
  const texts: string[] = [];
  let chars = 0;
  for await (const { firstLine, lines } of scan()) {
    if (firstLine > end) break;
    for (const [offset, line] of lines.entries()) {
      const text = form.take(line);
      const loc = firstLine + offset;
      if (loc >= start && loc <= end && text !== '') texts.push(text);
      chars += line.length;
    }
    if (chars < QUOTE_CHARS_PER_PAUSE) continue;
    chars = 0;
    await pause();
  }
  return { lines: best.tight, text: texts.join('\n') };
}
