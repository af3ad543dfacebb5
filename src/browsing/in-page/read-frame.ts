import type { AreaFacts, FrameFacts } from './scripts.ts';

/**
 * Reads a document's storage in our isolated world. When a storage is too large, its small entries are taken: they keep a
 * person signed in.
 */
export async function readFrame(maxBytes: number): Promise<FrameFacts> {
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

function readArea(get: () => Storage, maxBytes: number): AreaFacts | null {
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

/** How many there are; 0 when they may not be read or do not answer. */
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
