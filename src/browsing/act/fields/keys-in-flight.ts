/** Maximum keys in flight, so that a distant browser does not cost a round trip for each key. */
const KEYS_MAX = 16;
/** A page that confirms a key within this time gets one more key in flight. */
const QUICK_MS = 100;
/** A page that takes longer gets keys one by one, because sent keys cannot be taken back. */
const SLOW_MS = 200;

/**
 * Sends keys before earlier ones are confirmed, beginning with one at a time. The number grows to what the page handles
 * within {@link SLOW_MS}, so that few keys reach it after a call was cancelled.
 */
export class KeysInFlight {
  readonly #sent: Promise<void>[] = [];
  #max = 1;

  /**
   * Resolves when the key was sent, not when it is confirmed.
   * @throws {unknown} errors of sending an earlier key
   */
  async add(send: () => Promise<void>): Promise<void> {
    while (this.#sent.length >= this.#max) await this.#sent.shift();
    const begun = Date.now();
    const confirmed = send().then(() => this.#adapt(Date.now() - begun));
    confirmed.catch(() => undefined);
    this.#sent.push(confirmed);
  }

  async confirmed(): Promise<void> {
    await Promise.all(this.#sent.splice(0));
  }

  #adapt(ms: number): void {
    if (ms > SLOW_MS) this.#max = 1;
    else if (ms < QUICK_MS) this.#max = Math.min(this.#max + 1, KEYS_MAX);
  }
}
