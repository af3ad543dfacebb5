import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** Number of hangs after which a page is skipped. After one, another page may have been the cause. */
const HANGS_MAX = 2;
/** A week: by then there may be a version that can read the page. */
const KEPT_MS = 7 * 86_400_000;

/** The hash of an address. Other keys stand for work without an address. */
const HASH = /^[0-9a-f]{64}$/;

const stored = z.record(z.string(), z.object({ hangs: z.number(), at: z.number() }));

/** Counts for each page the hangs of the Worker during work on it, by hash, in a file that outlives a restart. */
export class Hangs {
  readonly #file: string;
  readonly #now: () => number;
  readonly #pages: Map<string, { hangs: number; at: number }>;

  constructor(file: string, now: () => number = Date.now) {
    this.#file = file;
    this.#now = now;
    this.#pages = new Map(Object.entries(read(file)).filter(([, { at }]) => at + KEPT_MS > now()));
  }

  /** @returns the pages that are skipped from now on */
  note(pages: Iterable<string>): string[] {
    for (const page of new Set(pages)) {
      this.#pages.set(page, { hangs: (this.#pages.get(page)?.hangs ?? 0) + 1, at: this.#now() });
    }
    this.#write();
    return [...new Set(pages)].filter((page) => this.isSkipped(page));
  }

  /** Clears pages whose work has ended, because they did not cause the earlier hang. */
  finished(pages: readonly string[]): void {
    const cleared = pages.filter((page) => this.#pages.has(page) && !this.isSkipped(page));
    for (const page of cleared) this.#pages.delete(page);
    if (cleared.length > 0) this.#write();
  }

  isSkipped(page: string): boolean {
    return (this.#pages.get(page)?.hangs ?? 0) >= HANGS_MAX;
  }

  /** Leaves out work without an address. */
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
