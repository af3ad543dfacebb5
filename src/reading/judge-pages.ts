import { DROP_BYTES_PER_BATCH, DROP_DOCUMENTS_PER_BATCH } from '#core/limits.ts';
import { JUDGE_BATCHES_MAX } from './limits.ts';
import type { Judged } from '#storage/judged.ts';
import type { Purge, PurgeRow } from '#storage/purge.ts';

export type JudgeDeps = { judged: Judged; purge: Purge };

/**
 * Judges public pages that were stored under an older rule of privacy. Who opened those that the rule keeps private is
 * not known any more, so their snapshots go; what a cursor may show stays until its hold is over. Bounded: what is left
 * waits for the next run.
 * @returns how many snapshots went
 */
export async function judgePages({ judged, purge }: JudgeDeps, now: number): Promise<number> {
  let gone = 0;
  for (let batch = 0; batch < JUDGE_BATCHES_MAX; batch += 1) {
    const { stay, go } = await judged.next(DROP_DOCUMENTS_PER_BATCH);
    if (stay.length + go.length === 0) break;
    await judged.stamp(stay);
    for (const group of inGroups(go)) gone += (await purge.remove(group, now)).keys.length;
  }
  return gone;
}

/** What one transaction can take out of the index. */
function inGroups(rows: readonly PurgeRow[]): PurgeRow[][] {
  const groups: PurgeRow[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    bytes += row.bytes;
    if (bytes > DROP_BYTES_PER_BATCH) {
      groups.push([]);
      ({ bytes } = row);
    }
    groups.at(-1)?.push(row);
  }
  return groups;
}
