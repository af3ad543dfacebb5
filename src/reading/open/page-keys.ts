import { hasSecret } from '#core/secrets/secret-addresses.ts';
import { snapshotKey } from '#storage/pages/snapshots.ts';
import type { Needed, SnapshotStore } from '#storage/pages/snapshots.ts';
import type { StoredPage } from '#storage/pages/stored-page.ts';

/** `shared`: `null` for a secret address, which has nothing to share. */
export type PageKeys = { own: string; shared: string | null };

/** @param canonicalUrl canonical; `asked.url` is as it was given, with the parts that canonical URLs leave out */
export async function pageKeys(
  canonicalUrl: string,
  asked: KeyInput & { requestedUrl: string },
  subject: string,
): Promise<PageKeys> {
  const isSecret = hasSecret(canonicalUrl) || hasSecret(asked.requestedUrl);
  const mode = modeKey(asked);
  const [own, shared] = await Promise.all([
    snapshotKey(canonicalUrl, `${VARY_HEADERS}\nprivate to ${subject}`, mode),
    isSecret ? null : snapshotKey(canonicalUrl, VARY_HEADERS, mode),
  ]);
  return { own, shared };
}

/** Stands for the request headers that pages may vary on: we send the same ones for every page. */
const VARY_HEADERS = 'accept: text/markdown first';

type KeyInput = { mode: string; siteconfig?: string | undefined; firstPage?: number | undefined };

/** Each of these changes the text, so each has its own snapshot. */
function modeKey({ mode, siteconfig, firstPage }: KeyInput): string {
  const read = siteconfig === undefined ? mode : `${mode} with ${siteconfig}`;
  return firstPage === undefined ? read : `${read} from page ${firstPage}`;
}

/** The newer of the opener's own snapshot and everyone's. @param until its document is held; `null`: it is not */
export async function findNewest(
  keys: PageKeys,
  until: number | null,
  needed: Needed,
  { snapshots }: { snapshots: SnapshotStore },
): Promise<StoredPage | null> {
  const { own, shared } = keys;
  return newestOf(keys, await snapshots.findToOpen(shared === null ? [own] : [own, shared], until, needed));
}

/** Pure. @param found among others, what is stored under the keys */
export function newestOf({ own, shared }: PageKeys, found: readonly StoredPage[]): StoredPage | null {
  const ownCopy = found.find(({ snapshot }) => snapshot.key === own) ?? null;
  const sharedCopy = found.find(({ snapshot }) => snapshot.key === shared);
  const open = sharedCopy?.owner === null ? sharedCopy : null;
  if (ownCopy === null || open === null) return ownCopy ?? open;
  return ownCopy.snapshot.validatedAt >= open.snapshot.validatedAt ? ownCopy : open;
}
