import { pageScript } from './page-script.ts';

/** What a document's own storage and place say, as far as the document may see them. */
export type FrameFacts = {
  /** `null` for a document without an origin of its own, which has no storage. */
  origin: string | null;
  title: string;
  scrollX: number;
  scrollY: number;
  local: AreaFacts | null;
  session: AreaFacts | null;
  databases: number;
  caches: number;
};

/** JSON of `[key, value]` pairs: JSON, because it keeps strings that are not well-formed Unicode as they are. */
type AreaFacts = { entries: string; omitted: number };

type Area = { readonly length: number; key: (at: number) => string | null; getItem: (key: string) => string | null };
declare const self: { readonly origin: string; readonly isSecureContext: boolean };
declare const document: { readonly title: string };
declare const scrollX: number;
declare const scrollY: number;
declare const localStorage: Area;
declare const sessionStorage: Area;
declare const indexedDB: { databases: () => Promise<readonly object[]> };
declare const caches: { keys: () => Promise<readonly string[]> };

/**
 * Reads a document's storage in our own world of it. A storage that is too large gives its small entries, which are those
 * that sign a person in.
 */
export const READ_FRAME = pageScript(readFrame, [readArea, countOf]);

async function readFrame(maxBytes: number): Promise<FrameFacts> {
  const origin = self.origin === 'null' ? null : self.origin;
  const [databases, cacheCount] = await Promise.all([
    countOf(() => (origin === null ? null : indexedDB.databases())),
    countOf(() => (origin === null || !self.isSecureContext ? null : caches.keys())),
  ]);
  return {
    origin,
    title: document.title,
    scrollX,
    scrollY,
    local: readArea(() => localStorage, maxBytes),
    session: readArea(() => sessionStorage, maxBytes),
    databases,
    caches: cacheCount,
  };
}

function readArea(get: () => Area, maxBytes: number): AreaFacts | null {
  try {
    const area = get(); // refused in sandboxed documents
    const all: { at: number; pair: [string, string]; bytes: number }[] = [];
    const encoder = new TextEncoder();
    for (let at = 0; at < area.length; at += 1) {
      const key = area.key(at) ?? '';
      const pair: [string, string] = [key, area.getItem(key) ?? ''];
      all.push({ at, pair, bytes: encoder.encode(JSON.stringify(pair)).byteLength + 1 });
    }
    let left = maxBytes;
    const kept = all
      .toSorted((one, other) => one.bytes - other.bytes)
      .filter(({ bytes }) => (left -= bytes) >= 0)
      .toSorted((one, other) => one.at - other.at);
    return { entries: JSON.stringify(kept.map(({ pair }) => pair)), omitted: all.length - kept.length };
  } catch {
    return null;
  }
}

/** How many there are; none where they may not be asked for, or do not answer. */
async function countOf(ask: () => Promise<readonly unknown[]> | null): Promise<number> {
  try {
    const late = new Promise<null>((resolve) => {
      setTimeout(() => resolve(null), 300);
    });
    return (await Promise.race([ask(), late]))?.length ?? 0;
  } catch {
    return 0;
  }
}
