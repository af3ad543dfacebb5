import type { StorageAreaEntries, FrameStorage } from '#browsing/in-page/script-types.ts';

/**
 * Reads a document's storage. If it exceeds `maxBytes`, small entries come before large ones, because small ones keep
 * the user signed in.
 */
export async function readFrameStorage(maxBytes: number): Promise<FrameStorage> {
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

function readArea(get: () => Storage, maxBytes: number): StorageAreaEntries | null {
  try {
    const area = get(); // throws in sandboxed documents
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

/** Number of databases or caches; 0 if the document must not read them or they do not respond. */
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

/** Adds a frame to this server's own blank document, to restore the storage of another origin. */
export function addStorageFrame(src: string): void {
  const frame = document.createElement('iframe');
  frame.src = src;
  document.body.append(frame);
}

/** Removes the frames that {@link addStorageFrame} added, so that the tab does not list them. */
export function removeStorageFrames(): void {
  document.body.replaceChildren();
}

/**
 * Restores the storage of a document. Returns `null` without changes if the document has another origin; otherwise the
 * number of entries that the browser refused. `local` and `session` are JSON of `[key, value]` pairs.
 */
export function restoreFrameStorage(origin: string, local: string, session: string): number | null {
  if (self.origin !== origin) return null;
  return fill(() => localStorage, local) + fill(() => sessionStorage, session);
}

function fill(get: () => Storage, json: string): number {
  let refused = 0;
  for (const [key, value] of JSON.parse(json)) {
    try {
      get().setItem(key, value);
    } catch {
      refused += 1;
    }
  }
  return refused;
}

/**
 * Scrolls a document. Returns false if the position was not reached, for example because the document is not tall
 * enough yet.
 */
export function scrollDocumentTo(x: number, y: number): boolean {
  scrollTo({ left: x, top: y, behavior: 'instant' });
  return Math.abs(scrollX - x) < 2 && Math.abs(scrollY - y) < 2;
}
