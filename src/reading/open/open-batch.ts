import { findFailure } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { BATCH_OPEN_MS_MAX } from '#reading/limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { withTimeout } from '#core/flow/abort.ts';

export type OpenBatchEntry<Page> =
  | { url: string; page: Page; failure: null }
  | { url: string; page: null; failure: Failure };

/**
 * Opens several pages, up to `concurrency` at a time. Results have the order of `urls`, and a failed page does not
 * affect the others. A page that is not open at the deadline counts as timed out.
 * @param open opens one page; its signal also fires at the deadline
 * @param onDone called after each page with the number of pages done
 */
export async function openPagesInParallel<Page>(
  urls: readonly string[],
  open: (url: string, signal: AbortSignal) => Promise<Page>,
  concurrency: number,
  signal: AbortSignal,
  onDone: (done: number) => void,
): Promise<OpenBatchEntry<Page>[]> {
  const entries = new Map<number, OpenBatchEntry<Page>>();
  const waiting = urls.entries();
  await withTimeout(BATCH_OPEN_MS_MAX, async (patience) => {
    const either = AbortSignal.any([signal, patience]);
    const worker = async () => {
      for (const [index, url] of waiting) {
        entries.set(index, await openEntry(url, open, either, patience));
        signal.throwIfAborted();
        onDone(entries.size);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, urls.length) }, worker));
  });
  return urls.flatMap((_, index) => entries.get(index) ?? []);
}

async function openEntry<Page>(
  url: string,
  open: (url: string, signal: AbortSignal) => Promise<Page>,
  signal: AbortSignal,
  patience: AbortSignal,
): Promise<OpenBatchEntry<Page>> {
  const late: Failure = {
    code: 'timeout',
    what: 'Waiting for its turn in the batch',
    afterMs: BATCH_OPEN_MS_MAX,
    url: redactUrl(url),
  };
  if (patience.aborted) return { url, page: null, failure: late };
  try {
    return { url, page: await open(url, signal), failure: null };
  } catch (error) {
    if (patience.aborted) return { url, page: null, failure: late };
    const failure = findFailure(error);
    if (failure === null) throw error;
    return { url, page: null, failure };
  }
}

/** Divides a budget into equal shares. Unused budget of small pages goes to larger pages. */
export function divideFairly(needs: readonly number[], budget: number): number[] {
  const order = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need);
  const shares = needs.map(() => 0);
  let left = budget;
  for (const [position, { need, index }] of order.entries()) {
    const share = Math.min(need, Math.floor(left / (order.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
