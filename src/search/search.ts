import type { SearchHit } from '#core/document.ts';
import { fail } from '#core/errors.ts';
import { QUERY_CHARS_MAX } from '#core/limits.ts';
import type { SearchProvider, SearchQuery } from './provider.ts';

export type SearchDeps = { searchProvider: SearchProvider };

export type Found = { provider: string; hits: SearchHit[]; notes: string[] };

/**
 * Searches with the configured provider.
 * @throws {PeriscopeError} `invalid_argument` for an empty or overlong query; `search_*` from the provider
 */
export async function search(query: SearchQuery, signal: AbortSignal, deps: SearchDeps): Promise<Found> {
  const text = query.query.trim();
  if (text === '') refuse('must not be empty');
  if (text.length > QUERY_CHARS_MAX) refuse(`must be at most ${QUERY_CHARS_MAX} characters`);
  const provider = deps.searchProvider;
  const answer = await provider.search({ ...query, query: text }, signal);
  return { provider: provider.name, hits: answer.hits, notes: answer.notes };
}

function refuse(problem: string): never {
  return fail({
    code: 'invalid_argument',
    field: 'query',
    problem,
    hint: 'Pass a few words to search for, such as {"query":"durable objects alarms"}.',
  });
}
