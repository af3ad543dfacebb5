import type { Protocol } from 'devtools-protocol';
import { DENIABLE_PERMISSIONS, SCRIPT_MESSAGE_MARK } from '#browsing/in-page/page/script-messages.ts';
import type { PageEvent } from './page-record.ts';

const DOWNLOAD_NAMES_MAX = 50;

/**
 * Receives messages that the in-page script sends through the console. The page could send such messages, too, but
 * would gain nothing.
 */
export class ScriptMessages {
  readonly #add: (event: PageEvent) => void;
  readonly #downloadNames = new Map<string, string>();

  constructor(add: (event: PageEvent) => void) {
    this.#add = add;
  }

  /** @returns true if the message comes from the in-page script */
  take(args: readonly Protocol.Runtime.RemoteObject[]): boolean {
    const [mark, kind, text = '', name = ''] = args.map(({ value }) => String(value ?? ''));
    if (mark !== SCRIPT_MESSAGE_MARK) return false;
    const what = DENIABLE_PERMISSIONS.find((one) => one === text);
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
