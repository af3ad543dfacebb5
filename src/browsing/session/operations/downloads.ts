import { abortable, withTimeout, resolveWithin } from '#core/flow/abort.ts';
import { findFailure } from '#core/failures/failure.ts';
import { safeFileName } from '#core/document/file-facts.ts';
import { SECOND_MS } from '#core/limits.ts';
import { detectMediaType } from '#net/types/sniff.ts';
import { storeFile, describeFileNotStored } from '#storage/person/stored-files.ts';
import type { FileStore } from '#storage/person/stored-files.ts';
import type { FileByteLimits, FileNotStoredReason } from '#storage/person/person-files.ts';
import { isTargetGone } from '#browsing/cdp/connection.ts';
import type { DownloadSource } from '#browsing/gate/file-response.ts';
import type { PageEvent } from '#browsing/tabs/page-record.ts';
import { DOWNLOADS_PER_CALL_MAX } from '#browsing/session/limits.ts';

/** Time limit of a download. A file of the maximum size takes this long at 3 Mbit/s. */
const DOWNLOAD_MS_MAX = 60 * SECOND_MS;

type DownloadDeps = {
  session: string;
  limits: FileByteLimits;
  mask: (text: string) => string;
  report: (error: unknown) => void;
};

/** Stores files that pages offer for download, one at a time, up to a maximum for each call. */
export class Downloads {
  readonly #deps: DownloadDeps;
  #store: FileStore;
  #driversStore: FileStore | null = null;
  #remaining = DOWNLOADS_PER_CALL_MAX;
  #last: Promise<void> = Promise.resolve();

  constructor(store: FileStore, deps: DownloadDeps) {
    this.#store = store;
    this.#deps = deps;
  }

  beginCall(store: FileStore): void {
    this.#store = store;
    this.#remaining = DOWNLOADS_PER_CALL_MAX;
  }

  /** Sets where downloads of the driving person are stored. @param store `null` when the person stops driving */
  setDriversStore(store: FileStore | null): void {
    this.#driversStore = store;
    this.#remaining = DOWNLOADS_PER_CALL_MAX;
  }

  /** Resets the download limit. Each input of a driving person counts as a new call. */
  allowMore(): void {
    if (this.#driversStore !== null) this.#remaining = DOWNLOADS_PER_CALL_MAX;
  }

  async whenIdle(ms: number, signal?: AbortSignal): Promise<void> {
    await resolveWithin(this.#untilQuiet(), ms, signal);
  }

  async #untilQuiet(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }

  /**
   * Stores a download. Never throws.
   * @returns an event with the stored file, or with the reason for refusing the download
   */
  async save(source: DownloadSource, url: string): Promise<PageEvent> {
    if (this.#remaining === 0) {
      await source.end();
      return { kind: 'download', url, reason: `there were more than ${DOWNLOADS_PER_CALL_MAX} since the last call` };
    }
    this.#remaining -= 1;
    source.begin();
    const store = this.#driversStore ?? this.#store;
    const saved = this.#last.then(() => this.#saveInTurn(source, url, store));
    this.#last = saved.then(() => undefined);
    return saved;
  }

  async #saveInTurn(source: DownloadSource, url: string, store: FileStore): Promise<PageEvent> {
    try {
      return await withTimeout(DOWNLOAD_MS_MAX, (late) => this.#write(source, url, store, late));
    } catch (error) {
      return { kind: 'download', url, reason: this.#reasonOf(error) };
    } finally {
      await source.end();
    }
  }

  async #write(source: DownloadSource, url: string, store: FileStore, signal: AbortSignal): Promise<PageEvent> {
    const { session, limits, mask, report } = this.#deps;
    const refused = (noRoom: FileNotStoredReason): PageEvent => ({
      kind: 'download',
      url,
      reason: reasonFor(noRoom, limits),
    });
    const declared = await abortable(source.declaredBytes(), signal);
    if (declared !== null && declared > limits.each) return refused('each');
    const describe = async (head: Uint8Array) => {
      const given = (await source.nameAtEnd?.()) || source.name || '';
      const said = source.contentType();
      const type = said === null || mask(said) === said ? said : null;
      return { name: safeFileName(mask(given)), mediaType: detectMediaType(type, safeFileName(given), head) };
    };
    const file = { describe, read: () => source.read() };
    const stored = await storeFile(store, file, { session, limits, signal, report });
    return typeof stored === 'string' ? refused(stored) : { kind: 'file', file: stored };
  }

  #reasonOf(error: unknown): string {
    if (error instanceof DOMException && error.name === 'TimeoutError') return TOO_LONG;
    if (isTargetGone(error)) return BROKE_OFF;
    const failure = findFailure(error);
    if (failure?.code === 'fetch_failed') return failure.reason;
    if (failure?.code === 'element_not_found') return BROKE_OFF;
    this.#deps.report(error);
    return 'it could not be stored';
  }
}

const TOO_LONG = `it took longer than ${DOWNLOAD_MS_MAX / SECOND_MS} s`;
const BROKE_OFF = 'it could not be read to its end';

function reasonFor(noRoom: FileNotStoredReason, limits: FileByteLimits): string {
  const advice = noRoom === 'count' || noRoom === 'together' ? '; browser_files deletes some' : '';
  return describeFileNotStored(noRoom, limits) + advice;
}
