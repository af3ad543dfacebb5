import { CONSOLE_DROPPED_UNTIL_STOPPED, CONSOLE_PAUSE_MS, CONSOLE_RATE, CONSOLE_UNIT_CHARS } from './limits.ts';
import { Pace } from './pace.ts';

export type ValveDeps = {
  /** Sends a command to the target. Nobody waits for its answer. */
  send: (
    method: 'Runtime.disable' | 'Runtime.discardConsoleEntries' | 'Runtime.enable' | 'Runtime.terminateExecution',
  ) => void;
  /** Adds a line of our own to the console messages. */
  say: (text: string) => void;
  /** Called when what is known about the target's scripts may be out of date. */
  forget: () => void;
};

/**
 * Limits the console of one target. When a page writes more than we would ever show, its console is turned off for a
 * while, and what it still sends is dropped unread. Chromium turns a console off only between two scripts, so a script
 * that keeps writing without a pause is stopped.
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

  /** Whether a message of this length is worth reading. */
  lets(chars: number): boolean {
    if (!this.#isShut && this.#pace.lets(1 + chars / CONSOLE_UNIT_CHARS)) return true;
    if (!this.#isShut) this.#shut();
    this.#dropped += 1;
    if (this.#dropped === CONSOLE_DROPPED_UNTIL_STOPPED) this.#deps.send('Runtime.terminateExecution');
    return false;
  }

  /** The target is gone. */
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
