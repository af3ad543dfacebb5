import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** In work at so many hangs, a page is skipped. At one, it may have been in work beside the page that was the cause. */
const HANGS_MAX = 2;
/** A week: by then there may be a version that can read it. */
const KEPT_MS = 7 * 86_400_000;

/** The hash of an address. Other names stand for work without an address. */
const HASH = /^[0-9a-f]{64}$/;

const stored = z.record(z.string(), z.object({ hangs: z.number(), at: z.number() }));

/** Which pages were in work when the Worker hung, by their hashes, in a file that outlives a restart. */
export class Hangs {
  readonly #file: string;
  readonly #now: () => number;
  readonly #pages: Map<string, { hangs: number; at: number }>;

  constructor(file: string, now: () => number = Date.now) {
    this.#file = file;
    this.#now = now;
    this.#pages = new Map(Object.entries(read(file)).filter(([, { at }]) => at + KEPT_MS > now()));
  }

  /** @returns those of them that are skipped from now on */
  note(pages: Iterable<string>): string[] {
    for (const page of new Set(pages)) {
      this.#pages.set(page, { hangs: (this.#pages.get(page)?.hangs ?? 0) + 1, at: this.#now() });
    }
    this.#write();
    return [...new Set(pages)].filter((page) => this.isSkipped(page));
  }

  /** Their work came to its end: an earlier hang was not theirs. */
  finished(pages: readonly string[]): void {
    const cleared = pages.filter((page) => this.#pages.has(page) && !this.isSkipped(page));
    for (const page of cleared) this.#pages.delete(page);
    if (cleared.length > 0) this.#write();
  }

  isSkipped(page: string): boolean {
    return (this.#pages.get(page)?.hangs ?? 0) >= HANGS_MAX;
  }

  /** Pages alone. */
  skipped(): string[] {
    return [...this.#pages.keys()].filter((page) => HASH.test(page) && this.isSkipped(page));
  }

  #write(): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(Object.fromEntries(this.#pages)), { mode: 0o600 });
  }
}

function read(file: string): z.infer<typeof stored> {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
