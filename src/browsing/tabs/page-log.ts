import type { FileFacts } from '#core/file-facts.ts';
import { PAGE_LOG_ENTRIES_MAX, PAGE_LOG_TEXT_CHARS_MAX } from './limits.ts';

/** Something that happened in a tab. All its texts are the page's: data. */
export type PageEvent =
  | { kind: 'console'; level: 'error' | 'warning'; text: string }
  | { kind: 'failed_request'; url: string; problem: string }
  /** A request that the gate did not let through; `reason` is our own. */
  | { kind: 'refused'; url: string; reason: string; isDocument: boolean }
  | { kind: 'dialog'; type: string; message: string; answer: 'accepted' | 'dismissed' }
  /** The browser did not send a form because of it. */
  | { kind: 'invalid_field'; name: string; problem: string }
  /** A download that was not kept; `reason` is our own. */
  | { kind: 'download'; url: string; reason?: string | undefined }
  /** A download that was. */
  | { kind: 'file'; file: FileFacts }
  /** The page opened a dialog in which a person would choose files. */
  | { kind: 'chooser' }
  | { kind: 'popup'; url: string }
  /** The tab of that id is closed for it. `loop`: it could not be stopped otherwise. */
  | { kind: 'crash'; tab: string; loop?: PageLoop };

/** What a page opened in a loop, and how many of them since its document was loaded. */
export type PageLoop = { of: 'dialogs' | 'pop-ups'; count: number };

export function loopWords({ of, count }: PageLoop): string {
  return `${count} ${of} in a loop`;
}

/** What happened in a tab lately: bounded, the newest kept, every event counted. */
export class PageLog {
  readonly #events: { at: number; event: PageEvent }[] = [];
  readonly #isPrivate: () => boolean;
  #count = 0;

  /** @param isPrivate whether what the page says may hold what a person typed: then it is not noted */
  constructor(isPrivate: () => boolean = () => false) {
    this.#isPrivate = isPrivate;
  }

  add(event: PageEvent): void {
    if (PAGE_SAYS.has(event.kind) && this.#isPrivate()) return;
    this.#count += 1;
    this.#events.push({ at: this.#count, event: shortened(event) });
    if (this.#events.length > PAGE_LOG_ENTRIES_MAX) this.#events.shift();
  }

  /** A point in time to look back to with {@link since}. */
  get mark(): number {
    return this.#count;
  }

  /** The events after `mark`, and not after `until`, that are still kept. */
  since(mark: number, until = Number.POSITIVE_INFINITY): PageEvent[] {
    return this.#events.filter(({ at }) => at > mark && at <= until).map(({ event }) => event);
  }
}

/** In words or addresses of its own making. */
const PAGE_SAYS: ReadonlySet<PageEvent['kind']> = new Set(['console', 'failed_request', 'dialog', 'invalid_field']);

function shortened(event: PageEvent): PageEvent {
  if (event.kind === 'console') return { ...event, text: event.text.slice(0, PAGE_LOG_TEXT_CHARS_MAX) };
  if (event.kind === 'dialog') return { ...event, message: event.message.slice(0, PAGE_LOG_TEXT_CHARS_MAX) };
  if ('url' in event) return { ...event, url: event.url.slice(0, PAGE_LOG_TEXT_CHARS_MAX) };
  return event;
}
