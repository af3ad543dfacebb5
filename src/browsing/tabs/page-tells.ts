import type { Protocol } from 'devtools-protocol';
import { DENIED, PAGE_TELLS } from '#core/text/page-tells.ts';
import type { PageEvent } from './page-record.ts';

/** Links to files that were clicked last. */
const DOWNLOAD_NAMES_MAX = 50;

/** Takes what our script in a page tells by the console. The page can write such messages, too, and gains nothing by it. */
export class PageTells {
  readonly #add: (event: PageEvent) => void;
  /** Names that links of the page have given files, by address. */
  readonly #downloadNames = new Map<string, string>();

  constructor(add: (event: PageEvent) => void) {
    this.#add = add;
  }

  /** @returns whether the message is such a one */
  take(args: readonly Protocol.Runtime.RemoteObject[]): boolean {
    const [mark, kind, text = '', name = ''] = args.map(({ value }) => String(value ?? ''));
    if (mark !== PAGE_TELLS) return false;
    const what = DENIED.find((one) => one === text);
    if (kind === 'copied') this.#add({ kind, text });
    if (kind === 'denied' && what !== undefined) this.#add({ kind, what });
    if (kind === 'download') this.#note(text, name);
    return true;
  }

  downloadName(url: string): string | null {
    return this.#downloadNames.get(url) ?? null;
  }

  #note(url: string, name: string): void {
    const [oldest] = this.#downloadNames.size >= DOWNLOAD_NAMES_MAX ? this.#downloadNames.keys() : [];
    if (oldest !== undefined) this.#downloadNames.delete(oldest);
    this.#downloadNames.set(url, name);
  }
}
