import { CONSOLE_DROPPED_UNTIL_STOPPED, CONSOLE_PAUSE_MS, CONSOLE_RATE, CONSOLE_UNIT_CHARS } from './limits.ts';
import { Pace } from './pace.ts';

export type ValveDeps = {
  /** Sends a command to the target; its answer does not matter. */
  send: (
    method: 'Runtime.disable' | 'Runtime.discardConsoleEntries' | 'Runtime.enable' | 'Runtime.terminateExecution',
  ) => void;
  /** Puts a line of ours among those of the console. */
  say: (text: string) => void;
  /** What was known of the target's scripts may not be true any more. */
  forget: () => void;
};

/**
 * Stands between the console of one target and us. A page that writes more than is ever shown is not listened to for a
 * while: what it still sends is dropped unread, and a script that goes on writing without a pause is stopped, since
 * Chromium turns its console off between two scripts only.
 */
export class ConsoleValve {
  readonly #deps: ValveDeps;
  readonly #pace = new Pace(CONSOLE_RATE);
  #isShut = false;
  #stayShut = () => {};
  #dropped = 0;

  constructor(deps: ValveDeps) {
    this.#deps = deps;
  }

  /** Whether a message of so many characters is worth reading. */
  lets(chars: number): boolean {
    if (!this.#isShut && this.#pace.lets(1 + chars / CONSOLE_UNIT_CHARS)) return true;
    if (!this.#isShut) this.#shut();
    this.#dropped += 1;
    if (this.#dropped === CONSOLE_DROPPED_UNTIL_STOPPED) this.#deps.send('Runtime.terminateExecution');
    return false;
  }

  /** The target is gone: there is nothing to listen to any more. */
  end(): void {
    this.#stayShut();
  }

  #shut(): void {
    this.#isShut = true;
    this.#dropped = 0;
    this.#deps.send('Runtime.disable');
    this.#deps.say('(the page writes more than can be read: the console is not read for a while)');
    const opening = setTimeout(() => this.#open(), CONSOLE_PAUSE_MS);
    this.#stayShut = () => clearTimeout(opening);
  }

  #open(): void {
    this.#isShut = false;
    this.#deps.send('Runtime.discardConsoleEntries');
    this.#deps.send('Runtime.enable');
    this.#deps.forget();
  }
}
