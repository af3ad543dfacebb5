import { write } from 'node:fs';

/**
 * Standard output and standard error of a process that must not wait for a reader. Node's own streams do wait: an
 * unread pipe (`npm start | less`) or a paused terminal (Ctrl-S) would stop the whole process, and with it the runtime,
 * whose log it reads. This class writes from another thread, one write at a time. Later text is buffered up to a limit;
 * beyond it, messages are dropped and counted. A reader that disconnects stops nothing.
 */
export class Output {
  readonly #descriptor: number;
  readonly #waitingMax: number;
  #waiting: string[] = [];
  #waitingChars = 0;
  #leftOut = 0;
  #isWriting = false;
  #isGone = false;
  #whenIdle: (() => void)[] = [];

  /** @param waitingMax characters that may wait for a reader */
  constructor(descriptor: number, waitingMax = WAITING_MAX_CHARS) {
    this.#descriptor = descriptor;
    this.#waitingMax = waitingMax;
  }

  /** Takes one or more lines, without the last line break. Never waits. */
  print(text: string): void {
    if (this.#isGone) return;
    if (this.#waitingChars + text.length > this.#waitingMax) {
      this.#leftOut += 1;
      return;
    }
    this.#waiting.push(`${text}\n`);
    this.#waitingChars += text.length + 1;
    this.#writeOn();
  }

  /** Resolves when everything has been read, the reader has disconnected, or `ms` have passed. */
  async flush(ms: number): Promise<void> {
    if (!this.#isWriting) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve);
      setTimeout(resolve, ms).unref();
    });
  }

  /** True during a write, which may never end if its reader has stopped. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  #writeOn(): void {
    if (this.#isWriting) return;
    if (this.#waiting.length === 0 && this.#leftOut > 0) {
      this.#waiting.push(`(${this.#leftOut} messages were left out because nobody read them)\n`);
      this.#leftOut = 0;
    }
    if (this.#waiting.length === 0) {
      for (const done of this.#whenIdle.splice(0)) done();
      return;
    }
    this.#isWriting = true;
    const bytes = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#write(bytes);
  }

  #write(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#write(bytes), RETRY_MS).unref();
      else if (error !== null) this.#end();
      else if (written < bytes.length) this.#write(bytes.subarray(written));
      else {
        this.#isWriting = false;
        this.#writeOn();
      }
    });
  }

  /** The reader has disconnected. */
  #end(): void {
    this.#isGone = true;
    this.#isWriting = false;
    this.#waiting = [];
    for (const done of this.#whenIdle.splice(0)) done();
  }
}

/** Some minutes of log of a busy server. */
const WAITING_MAX_CHARS = 1_000_000;
/** Retry interval for a pipe that its reader has made non-blocking. */
const RETRY_MS = 50;

/** Time for a present reader to read the last lines. */
const LAST_LINES_MS = 500;

export const standardOutput = new Output(1);
export const standardError = new Output(2);

/**
 * Ends this process after its last lines are read, if there is a reader. Node waits for its threads before it exits, so
 * a thread that waits for a reader would keep the process running.
 */
export async function exitWith(code: number): Promise<void> {
  await Promise.all([standardOutput.flush(LAST_LINES_MS), standardError.flush(LAST_LINES_MS)]);
  if (standardOutput.isWriting || standardError.isWriting) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
