import { fail } from '#core/failures/failure.ts';
import type { Follow, FollowStore } from '#storage/library/follows.ts';

export type FollowedLibrary = Follow;

/**
 * Finds a followed page or site, the subject's or a shared one, by its URL, prefix or ID. If there is none, finds the
 * only one whose URL contains the name or whose title equals it.
 * @throws {PeriscopeError} `unknown_library`
 */
export async function findFollow(
  name: string,
  { follows, subject }: { follows: Pick<FollowStore, 'searchable'>; subject: string },
): Promise<Follow> {
  const all = await follows.searchable(subject);
  const wanted = bare(name);
  const exact = all.filter(({ url, prefix, id }) => [bare(url), bare(prefix), id].includes(wanted));
  const alike =
    exact.length > 0
      ? exact
      : all.filter(({ url, title }) => bare(url).includes(wanted) || bare(title ?? '') === wanted);
  const [only] = alike;
  const isOne = only !== undefined && alike.length === 1;
  if (isOne) return only;
  return fail({ code: 'unknown_library', name, known: namesOf(alike.length > 0 ? alike : all) });
}

/**
 * Up to {@link KNOWN_NAMED_MAX} names of followed pages for an error: URLs, with the ID if a page and a site have the
 * same URL.
 */
function namesOf(follows: readonly Follow[]): string[] {
  const isTwice = (url: string) => follows.filter((one) => bare(one.url) === bare(url)).length > 1;
  return follows
    .slice(0, KNOWN_NAMED_MAX)
    .map(({ url, id, scope }) => (isTwice(url) ? `${id} (the ${scope} ${url})` : url));
}

/** Maximum names listed in an error. */
const KNOWN_NAMED_MAX = 10;

/** The followed sites to search: the named one, or all of them for `all`. @throws {PeriscopeError} `unknown_library` */
export async function findLibraries(name: string, deps: Parameters<typeof findFollow>[1]): Promise<FollowedLibrary[]> {
  if (name.trim().toLowerCase() !== ALL) return [await findFollow(name, deps)];
  const all = await deps.follows.searchable(deps.subject);
  return all.length > 0 ? all : fail({ code: 'unknown_library', name, known: [] });
}

const ALL = 'all';

function bare(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}
