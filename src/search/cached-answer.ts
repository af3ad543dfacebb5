import * as z from 'zod';
import { sha256Hex } from '#core/text.ts';
import { parseJson } from '#core/json.ts';
import type { ProviderName, SearchProvider, SearchQuery, SearchResult } from './provider.ts';

/** An answer before domain filters: callers with other filters share it. */
export type Answered = { provider: ProviderName; hits: SearchResult[]; more: boolean; notes: string[] };

/** Answers stored in another form are not found. */
const FORMAT = 1;

const answered: z.ZodType<Answered> = z.object({
  provider: z.enum(['brave', 'searxng', 'local']),
  hits: z.array(
    z.object({
      rank: z.number(),
      title: z.string(),
      url: z.string(),
      description: z.string(),
      extra_snippets: z.array(z.string()),
      age: z.string().nullable(),
    }),
  ),
  more: z.boolean(),
  notes: z.array(z.string()),
});

/** The address of an answer: who would be asked, in order, and what. @param query in its one form */
export function cacheKey(providers: readonly SearchProvider[], query: SearchQuery): Promise<string> {
  const asked = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify([FORMAT, providers.map((provider) => provider.source), asked]));
}

/** `null` when it is not in today's form. */
export function readAnswered(body: string): Answered | null {
  const parsed = answered.safeParse(parseJson(body));
  return parsed.success ? parsed.data : null;
}
