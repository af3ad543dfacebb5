import { z } from 'zod';

/** A unit of work in the Worker: a call, a step of a round, or the hourly clean-up. */
export type Work = {
  id: string;
  /** The name of the tool, or another word for people. */
  what: string;
  /** The pages and files it works on: their hashes, and their addresses without secrets. */
  on: { page: string; url: string }[];
};

/** `call`: a hash of the tool and its arguments, which identifies the cause if there is no page. */
type Open = Work & { since: number; call: string | null };

const began = z.object({ work: z.literal('began'), id: z.string(), what: z.string() });
const on = z.object({ work: z.literal('on'), id: z.string(), page: z.string(), url: z.string() });
const called = z.object({ work: z.literal('call'), id: z.string(), call: z.string() });
const ended = z.object({ work: z.literal('ended'), id: z.string() });
const line = z.discriminatedUnion('work', [began, on, called, ended]);

/** No work takes longer. A call whose client has disconnected does not report its end. */
const WORK_MS_MAX = 120_000;

/**
 * The Worker's current work, read from its log lines (`src/telemetry/work.ts`). They arrive even if the Worker hangs
 * afterwards: the runtime writes each line before the code continues.
 */
export class AtWork {
  readonly #open = new Map<string, Open>();
  readonly #finished: (pages: readonly string[]) => void;
  readonly #now: () => number;
  /** Time of the Worker's last line. */
  #heardAt = 0;

  /** @param finished receives the pages of finished work */
  constructor(finished: (pages: readonly string[]) => void, now: () => number = Date.now) {
    this.#finished = finished;
    this.#now = now;
  }

  /** @returns true if the message is a line about work, which is not printed */
  take(message: string): boolean {
    if (!message.startsWith(LINE_START)) return false;
    const read = line.safeParse(JSON.parse(message));
    if (!read.success) return false;
    const { data } = read;
    if (data.work === 'began') this.begin(data.id, data.what);
    else if (data.work === 'on') this.#open.get(data.id)?.on.push({ page: data.page, url: data.url });
    else if (data.work === 'call') this.#called(data.id, data.call);
    else this.end(data.id);
    return true;
  }

  begin(id: string, what: string, page?: string): void {
    this.#heardAt = this.#now();
    for (const [old, { since }] of this.#open) if (since < this.#heardAt - WORK_MS_MAX) this.#open.delete(old);
    this.#open.set(id, {
      id,
      what,
      on: page === undefined ? [] : [{ page, url: '' }],
      since: this.#heardAt,
      call: null,
    });
  }

  #called(id: string, call: string): void {
    const work = this.#open.get(id);
    if (work !== undefined) work.call = call;
  }

  end(id: string): void {
    this.#heardAt = this.#now();
    const work = this.#open.get(id);
    if (!this.#open.delete(id) || work === undefined) return;
    this.#finished([...work.on.map(({ page }) => page), ...(work.call === null ? [] : [work.call])]);
  }

  /** Returns the work that has begun and not ended, and forgets it. */
  interrupted(): Work[] {
    const open = [...this.#open.values()].filter(({ since }) => since >= this.#heardAt - WORK_MS_MAX);
    this.#open.clear();
    return open.map(({ id, what, on: pages, call }) => {
      const isCause = pages.length === 0 && call !== null;
      return { id, what, on: isCause ? [{ page: call, url: THESE_ARGUMENTS }] : pages };
    });
  }
}

/** Replaces an address, because arguments may be private. */
const THESE_ARGUMENTS = '(its arguments)';
const LINE_START = '{"work":';
