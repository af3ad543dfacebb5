import { withTimeout, within } from '#core/flow/abort.ts';
import { failureIn } from '#core/failures/failure.ts';
import { safeFileName } from '#core/file-facts.ts';
import { SECOND_MS } from '#core/limits.ts';
import { fileType } from '#net/types/file-type.ts';
import { keepFile, whyNotStored } from '#storage/person/stored-files.ts';
import type { FileStore } from '#storage/person/stored-files.ts';
import type { FileLimits, NoRoom } from '#storage/person/person-files.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { FileSource } from '#browsing/gate/file-answer.ts';
import type { PageEvent } from '#browsing/tabs/page-record.ts';
import { DOWNLOAD_MS_MAX, DOWNLOADS_PER_CALL_MAX } from '#browsing/session/limits.ts';

export type DownloadDeps = {
  /** The session's key, under which its files go with it. */
  session: string;
  limits: FileLimits;
  /** A text without secrets that were typed in the session. */
  hide: (text: string) => string;
  report: (error: unknown) => void;
};

/** Keeps what the pages of a session give to be saved: one file after the other, piece by piece, a few in each call. */
export class Downloads {
  readonly #deps: DownloadDeps;
  #store: FileStore;
  /** Of a person who drives the session. */
  #driversStore: FileStore | null = null;
  #left = DOWNLOADS_PER_CALL_MAX;
  #last: Promise<void> = Promise.resolve();

  constructor(store: FileStore, deps: DownloadDeps) {
    this.#store = store;
    this.#deps = deps;
  }

  /** From here on files are those of whoever makes this call. */
  beginCall(store: FileStore): void {
    this.#store = store;
    this.#left = DOWNLOADS_PER_CALL_MAX;
  }

  /** From here on files are those of a person who drives; with `null`, of whoever calls again. */
  beDrivenBy(store: FileStore | null): void {
    this.#driversStore = store;
    this.#left = DOWNLOADS_PER_CALL_MAX;
  }

  /** The person who drives did something, which may bring files as a call may. */
  goOn(): void {
    if (this.#driversStore !== null) this.#left = DOWNLOADS_PER_CALL_MAX;
  }

  /** When nothing is being taken any more, or `ms` are over. */
  async atRest(ms: number, signal?: AbortSignal): Promise<void> {
    await within(this.#untilQuiet(), ms, signal);
  }

  /** While one is taken others may come. */
  async #untilQuiet(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }

  /** Keeps a file, in its turn. Never throws. @returns what came of it: a file, or a download that was refused */
  async save(source: FileSource, url: string): Promise<PageEvent> {
    if (this.#left === 0) {
      await source.end();
      return { kind: 'download', url, reason: `there were more than ${DOWNLOADS_PER_CALL_MAX} since the last call` };
    }
    this.#left -= 1;
    source.begin();
    const store = this.#driversStore ?? this.#store;
    const saved = this.#last.then(() => this.#saveInTurn(source, url, store));
    this.#last = saved.then(() => undefined);
    return saved;
  }

  async #saveInTurn(source: FileSource, url: string, store: FileStore): Promise<PageEvent> {
    try {
      return await withTimeout(DOWNLOAD_MS_MAX, (late) => this.#keep(source, url, store, late));
    } catch (error) {
      return { kind: 'download', url, reason: this.#reasonOf(error) };
    } finally {
      await source.end();
    }
  }

  async #keep(source: FileSource, url: string, store: FileStore, signal: AbortSignal): Promise<PageEvent> {
    const { session, limits, hide, report } = this.#deps;
    const refused = (noRoom: NoRoom): PageEvent => ({ kind: 'download', url, reason: reasonFor(noRoom, limits) });
    if (source.announced !== null && source.announced > limits.each) return refused('each');
    const given = safeFileName(source.name ?? '');
    const typeOf = (head: Uint8Array) => fileType(source.contentType(), given, head);
    const file = { name: safeFileName(hide(source.name ?? '')), typeOf, read: () => source.read() };
    const kept = await keepFile(store, file, { session, limits, signal, report });
    return typeof kept === 'string' ? refused(kept) : { kind: 'file', file: kept };
  }

  #reasonOf(error: unknown): string {
    if (error instanceof DOMException && error.name === 'TimeoutError') return TOO_LONG;
    if (error instanceof CdpError || error instanceof BrowserGone) return BROKE_OFF;
    const failure = failureIn(error);
    if (failure?.code === 'fetch_failed') return failure.reason;
    if (failure?.code === 'element_not_found') return BROKE_OFF;
    this.#deps.report(error);
    return 'it could not be stored';
  }
}

const TOO_LONG = `it took longer than ${DOWNLOAD_MS_MAX / SECOND_MS} s`;
const BROKE_OFF = 'it could not be read to its end';

function reasonFor(noRoom: NoRoom, limits: FileLimits): string {
  const advice = noRoom === 'count' || noRoom === 'together' ? '; browser_files deletes some' : '';
  return whyNotStored(noRoom, limits) + advice;
}
