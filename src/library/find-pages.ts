import { discover } from './discovery/discover.ts';
import { pageKey } from './discovery/page-key.ts';
import type { Follow, FollowStore } from '#storage/library/follows.ts';
import type { RoundPages } from '#storage/library/round-pages.ts';
import type { HostDeps } from './at-host.ts';
import { sitePorts } from './site-ports.ts';

export type FindPagesDeps = HostDeps & { follows: FollowStore; roundPages: RoundPages };

/** Looks for the pages of a site by what it says of itself, and adds those that are new. @returns how many those are */
export async function findPages(follow: Follow, signal: AbortSignal, deps: FindPagesDeps): Promise<number> {
  const { id, url, prefix, pagesMax } = follow;
  // The address that was asked for may only lead to the site.
  const start = url.startsWith(prefix) ? url : prefix;
  const found = await discover(sitePorts(signal, deps), { start, prefix, maxPages: pagesMax });
  await deps.follows.foundPages(id, { ways: found.ways, leftOut: found.leftOut });
  return deps.roundPages.add(
    id,
    found.pages.map(({ url: page, via, names }) => ({ key: pageKey(page), url: page, via, names })),
  );
}
