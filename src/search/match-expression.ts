/** The words and phrases of a query, as FTS5 expressions: one that wants all of them, one that wants any. */
export type MatchExpressions = { all: string; any: string };

const PHRASE_OR_WORD = /"([^"]*)"|(\S+)/gu;
const WORD_CHARACTERS = /[\p{L}\p{N}\p{M}_]+/gu;
const TERMS_MAX = 32;

/**
 * Turns what a person or model types into FTS5 syntax. Every term is quoted, so no operator, column filter or stray
 * quote of the query is ever syntax. `null` when the query holds no word. Pure.
 */
export function matchExpressions(query: string): MatchExpressions | null {
  const terms = [...query.matchAll(PHRASE_OR_WORD)]
    .map(([, phrase, word]) => ((phrase ?? word ?? '').match(WORD_CHARACTERS) ?? []).join(' '))
    .filter((term) => term !== '')
    .slice(0, TERMS_MAX)
    .map((term) => `"${term}"`);
  if (terms.length === 0) return null;
  return { all: terms.join(' AND '), any: terms.join(' OR ') };
}
