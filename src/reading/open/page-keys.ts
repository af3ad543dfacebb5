import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';
import { computeSnapshotKey } from '#storage/pages/snapshots.ts';
import type { OpeningReads, SnapshotStore } from '#storage/pages/snapshots.ts';
import type { StoredPage } from '#storage/schema.ts';

/**
 * Keys of a page's snapshots. `own`: the subject's own snapshot. `shared`: the snapshot that all subjects share; `null`
 * for a URL that contains a secret, because such a page is never shared.
 */
export type SnapshotKeys = { own: string; shared: string | null };

/**
 * Returns the keys of a page's snapshots for one subject.
 * @param asked.requestedUrl the URL as the caller gave it, including parts that the canonical URL omits
 */
export async function computeSnapshotKeys(
  canonicalUrl: string,
  asked: KeyInput & { requestedUrl: string },
  subject: string,
): Promise<SnapshotKeys> {
  const isSecret = hasSecretInUrl(canonicalUrl) || hasSecretInUrl(asked.requestedUrl);
  const mode = modeKey(asked);
  const [own, shared] = await Promise.all([
    computeSnapshotKey(canonicalUrl, `${VARY_HEADERS}\nprivate to ${subject}`, mode),
    isSecret ? null : computeSnapshotKey(canonicalUrl, VARY_HEADERS, mode),
  ]);
  return { own, shared };
}

/** Part of the key that represents the request headers, which a response may depend on. They never vary. */
const VARY_HEADERS = 'accept: text/markdown first';

type KeyInput = { mode: string; siteconfig?: string | undefined; firstPage?: number | undefined };

/** Returns the options that change the extracted text, as part of the key. Each combination has its own snapshot. */
function modeKey({ mode, siteconfig, firstPage }: KeyInput): string {
  const read = siteconfig === undefined ? mode : `${mode} with ${siteconfig}`;
  return firstPage === undefined ? read : `${read} from page ${firstPage}`;
}

/**
 * Finds the subject's own snapshot and the shared one, and returns the newer.
 * @param until time in ms since 1970 before which the document must not be deleted; `null` if it may be deleted
 */
export async function findNewestSnapshot(
  keys: SnapshotKeys,
  until: number | null,
  needed: OpeningReads,
  { snapshots }: { snapshots: SnapshotStore },
): Promise<StoredPage | null> {
  const { own, shared } = keys;
  return chooseNewerCopy(keys, await snapshots.findToOpen(shared === null ? [own] : [own, shared], until, needed));
}

/** Returns the newer of the subject's own copy and the shared copy. @param found may have pages under other keys */
export function chooseNewerCopy({ own, shared }: SnapshotKeys, found: readonly StoredPage[]): StoredPage | null {
  const ownCopy = found.find(({ snapshot }) => snapshot.key === own) ?? null;
  const sharedCopy = found.find(({ snapshot }) => snapshot.key === shared);
  const open = sharedCopy?.owner === null ? sharedCopy : null;
  if (ownCopy === null || open === null) return ownCopy ?? open;
  return ownCopy.snapshot.validatedAt >= open.snapshot.validatedAt ? ownCopy : open;
}
