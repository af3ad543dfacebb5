import type { Pause } from '#core/flow/turns.ts';
import { RANK_STEP_CHARS } from '#ranking/limits.ts';
import type { Ranking } from '#ranking/rank.ts';

type RankedDocument = {
  title: string | null;
  restStart: number | null;
  chunks: () => AsyncIterable<{ firstLine: number; lines: readonly string[] }>;
};

/** Reads documents for a ranking, chunk by chunk, and lets others in. */
export async function rankDocuments(
  documents: readonly RankedDocument[],
  ranking: Ranking,
  pause: Pause,
): Promise<void> {
  let chars = 0;
  for (const { title, restStart, chunks } of documents) {
    const document = ranking.document(title, restStart);
    for await (const { firstLine, lines } of chunks()) {
      document.add(firstLine, lines);
      chars += lines.reduce((sum, line) => sum + line.length, 0);
      if (chars < RANK_STEP_CHARS) continue;
      chars = 0;
      await pause();
    }
    document.end();
  }
}
