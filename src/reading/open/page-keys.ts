import { hasSecret } from '#core/secrets/secret-addresses.ts';
import { isPrivateSnapshot } from '#storage/pages/judged.ts';
import { snapshotKey } from '#storage/pages/snapshots.ts';
import type { SnapshotStore, StoredPage } from '#storage/pages/snapshots.ts';

/** Under which keys a page is stored. `shared` is `null` for an address that is a secret: that has nothing to share. */
export type PageKeys = { own: string; shared: string | null };

/**
 * @param url canonical; `asked.url` is the address as it was given, with what canonical ones leave out
 * @param subject who opens it
 */
export async function pageKeys(url: string, asked: Asked & { url: string }, subject: string): Promise<PageKeys> {
  const isSecret = hasSecret(url) || hasSecret(asked.url);
  const mode = modeKey(asked);
  const [own, shared] = await Promise.all([
    snapshotKey(url, `${VARY_HEADERS}\nprivate to ${subject}`, mode),
    isSecret ? null : snapshotKey(url, VARY_HEADERS, mode),
  ]);
  return { own, shared };
}

/** The request headers that a page may vary on and that we send: they are the same for every page. */
const VARY_HEADERS = 'accept: text/markdown first';

type Asked = { mode: string; siteconfig?: string | undefined; firstPage?: number | undefined };

/** Another site config gives another text, and so do other pages: each is another snapshot. */
function modeKey({ mode, siteconfig, firstPage }: Asked): string {
  const read = siteconfig === undefined ? mode : `${mode} with ${siteconfig}`;
  return firstPage === undefined ? read : `${read} from page ${firstPage}`;
}

/** Of what is stored for the opener alone and for everyone, what came or was confirmed last; its document is held until then. */
export async function newestOf(
  { own, shared }: PageKeys,
  until: number,
  { snapshots }: { snapshots: SnapshotStore },
): Promise<StoredPage | null> {
  const found = await snapshots.findAndHold(shared === null ? [own] : [own, shared], until);
  const theirs = found.find(({ snapshot }) => snapshot.key === own) ?? null;
  const everyones = found.find(({ snapshot }) => snapshot.key === shared);
  // What was stored under an older rule may be for everyone no longer.
  const isOpen = everyones?.owner === null && !isPrivateSnapshot(everyones.snapshot);
  const open = everyones !== undefined && isOpen ? everyones : null;
  if (theirs === null || open === null) return theirs ?? open;
  return theirs.snapshot.validatedAt >= open.snapshot.validatedAt ? theirs : open;
}
