import { z } from 'zod';

/** Something that the Worker works on: a call, a step of a round, or the hourly clean-up. */
export type Work = {
  id: string;
  /** The name of the tool, or another word for people. */
  what: string;
  /** Pages and files that it is on: their hashes, and their addresses without secrets. */
  on: { page: string; url: string }[];
};

/** `call`: a hash of its tool and its arguments; the cause if no page is. */
type Open = Work & { since: number; call: string | null };

const began = z.object({ work: z.literal('began'), id: z.string(), what: z.string() });
const on = z.object({ work: z.literal('on'), id: z.string(), page: z.string(), url: z.string() });
const called = z.object({ work: z.literal('call'), id: z.string(), call: z.string() });
const ended = z.object({ work: z.literal('ended'), id: z.string() });
const line = z.discriminatedUnion('work', [began, on, called, ended]);

/** No work takes longer. The end of a call whose client has gone away is not reported. */
const WORK_MS_MAX = 120_000;

/**
 * The Worker's current work, read from the lines it logs (`src/telemetry/work.ts`). They arrive even when nothing else does:
 * the runtime writes them before it goes on.
 */
export class AtWork {
  readonly #open = new Map<string, Open>();
  readonly #finished: (pages: readonly string[]) => void;
  readonly #now: () => number;
  /** When the Worker last said something. */
  #heardAt = 0;

  /** @param finished takes the pages of work that has come to its end */
  constructor(finished: (pages: readonly string[]) => void, now: () => number = Date.now) {
    this.#finished = finished;
    this.#now = now;
  }

  /** @returns whether the message was a line of this kind, which nobody else wants to see */
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

/** In the place of an address. Arguments may hold what nobody else should read. */
const THESE_ARGUMENTS = '(its arguments)';
const LINE_START = '{"work":';
