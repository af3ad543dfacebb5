import { fail } from '#core/failures/failure.ts';
import type { Follow, FollowStore } from '#storage/library/follows.ts';

/** One thing that is followed, as what searches it knows it. */
export type Library = Follow;

/**
 * What the person follows under a name: its address, or the end of its address or title.
 * @throws {PeriscopeError} `unknown_library`
 */
export async function followOf(
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
  const known = (alike.length > 0 ? alike : all).slice(0, KNOWN_NAMED_MAX).map(({ url }) => url);
  return fail({ code: 'unknown_library', name, known });
}

/** Names in an error: enough to choose from. */
const KNOWN_NAMED_MAX = 10;

/** What a search in a library looks at: one thing that is followed, or `all`. @throws {PeriscopeError} `unknown_library` */
export async function librariesOf(name: string, deps: Parameters<typeof followOf>[1]): Promise<Library[]> {
  if (name.trim().toLowerCase() !== ALL) return [await followOf(name, deps)];
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
