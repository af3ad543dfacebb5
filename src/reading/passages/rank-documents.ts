import type { Pause } from '#core/flow/turns.ts';
import { RANK_CHARS_MAX, RANK_STEP_CHARS } from '#ranking/limits.ts';
import type { Ranking } from '#ranking/rank.ts';
import { FenceLog } from './fence-log.ts';

type RankedDocument = {
  title: string | null;
  restStart: number | null;
  chunks: () => AsyncIterable<{ firstLine: number; lines: readonly string[] }>;
};

/** `stop`: the first line that was not read, `null` when the document was read to its end. */
export type RankedText = { stop: number | null; fences: FenceLog };

/** Reads documents for a ranking, chunk by chunk, and lets others in. */
export async function rankDocuments(
  documents: readonly RankedDocument[],
  ranking: Ranking,
  pause: Pause,
): Promise<RankedText[]> {
  const texts: RankedText[] = [];
  let left = RANK_CHARS_MAX;
  let chars = 0;
  for (const [place, { title, restStart, chunks }] of documents.entries()) {
    const document = ranking.document(title, restStart);
    let share = Math.floor(left / (documents.length - place));
    const fences = new FenceLog();
    let stop: number | null = null;
    for await (const { firstLine, lines } of chunks()) {
      if (share <= 0) {
        stop = firstLine;
        break;
      }
      document.add(firstLine, lines);
      fences.add(firstLine, lines);
      const own = lines.reduce((sum, line) => sum + line.length, 0);
      share -= own;
      left -= own;
      chars += own;
      if (chars < RANK_STEP_CHARS) continue;
      chars = 0;
      await pause();
    }
    document.end();
    texts.push({ stop, fences });
  }
  return texts;
}
