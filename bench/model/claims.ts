import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Endpoint } from './converse.ts';
import type { Corpus } from './corpus.ts';
import type { Reader, ReaderName } from './readers.ts';
import { traced } from './trace.ts';

export const topicSchema = z.array(z.strictObject({ id: z.string(), topic: z.string(), start: z.string() }));
export type Topic = z.output<typeof topicSchema>[number];

export const CLAIMS_PER_TOPIC = 3;
/** Words of the page before and after a quote that a judge sees. */
const AROUND_CHARS = 300;

const claimSchema = z.object({ claim: z.string(), url: z.string(), quote: z.string() });

/** `none`: the model made no such claim. `not on the page`: the cited page does not have the quoted words. */
export type Verdict = 'supported' | 'partly' | 'not' | 'not on the page' | 'none' | 'not judged';

export type Claim = {
  id: string;
  reader: ReaderName;
  claim: string;
  url: string;
  quote: string;
  /** The quote in its page, between « and »; `null` where the page does not have it. */
  words: string | null;
  verdict: Verdict;
};

/** Lets a model make claims on a topic, each with a page and a quote. */
export async function collectClaims(
  endpoint: Endpoint,
  name: ReaderName,
  reader: Reader,
  { id, topic, start }: Topic,
  corpus: Corpus,
  folder: string,
): Promise<Claim[]> {
  const prompt = `Find out from documentation: ${topic}\n\nThe documentation begins at ${corpus.urlOf(start)}. Read it with the tools; do not write from memory. Then answer with a JSON array of exactly ${CLAIMS_PER_TOPIC} objects and nothing else: {"claim": one statement in your own words, "url": the page that supports it, "quote": the words of that page that support it, copied exactly, 8 to 60 words}.`;
  const { answer, problem } = await traced(endpoint, reader, prompt, folder, `citations-${name}-${id}`);
  const made = problem === '' ? claimsIn(answer) : [];
  return Array.from({ length: CLAIMS_PER_TOPIC }, (_, at) => {
    const { claim = '', url = '', quote = '' } = made[at] ?? {};
    const words = claim === '' ? null : inPage(corpus.textAt(url), quote);
    const verdict = claim === '' ? 'none' : words === null ? 'not on the page' : 'not judged';
    return { id: `${id}-${at + 1}`, reader: name, claim, url, quote, words, verdict };
  });
}

/** The claims of an answer, which may have words or a fence around its JSON. */
export function claimsIn(answer: string): z.output<typeof claimSchema>[] {
  const [from, to] = [answer.indexOf('['), answer.lastIndexOf(']')];
  if (from < 0 || to < from) return [];
  try {
    const found = z.array(z.unknown()).safeParse(JSON.parse(answer.slice(from, to + 1)));
    return (found.data ?? []).flatMap((one) => claimSchema.safeParse(one).data ?? []);
  } catch {
    return []; // The answer is not JSON, so it counts as having no claims.
  }
}

/** The words of a page around a quote. White space, case, quotation marks and Markdown marks are ignored. */
export function inPage(text: string | null, quote: string): string | null {
  if (text === null) return null;
  const [page, wanted] = [folded(text), folded(quote)];
  const at = wanted.text === '' ? -1 : page.text.indexOf(wanted.text);
  const [start, end] = [page.places[at], page.places[at + wanted.text.length - 1]];
  if (start === undefined || end === undefined) return null;
  const before = text.slice(Math.max(0, start - AROUND_CHARS), start);
  return `${before}«${text.slice(start, end + 1)}»${text.slice(end + 1, end + 1 + AROUND_CHARS)}`;
}

const LEFT_OUT = /[\s*_`'"‘’“”\\]/;

function folded(text: string): { text: string; places: number[] } {
  const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => !LEFT_OUT.test(text[at] ?? ''));
  return { text: places.map((at) => (text[at] ?? '').toLowerCase()).join(''), places };
}

/** Judges claims in an order that does not reveal their reader. */
export async function judge(endpoint: Endpoint, claims: readonly Claim[], folder: string): Promise<void> {
  const lot = ({ id, reader }: Claim) => createHash('sha256').update(`${reader} ${id}`).digest('hex');
  const open = claims.filter(({ verdict }) => verdict === 'not judged');
  for (const [at, claim] of open.toSorted((a, b) => (lot(a) < lot(b) ? -1 : 1)).entries()) {
    const prompt = `Do the words between « and » support the claim? The words around them are only there to make them clear.\n\nClaim: ${claim.claim}\n\nWords: ${claim.words ?? ''}\n\nAnswer with one word: SUPPORTED if they state everything that the claim says, PARTLY if only some of it, NOT otherwise.`;
    const name = `judged-${String(at + 1).padStart(3, '0')}`;
    const { answer, problem } = await traced(endpoint, null, prompt, folder, name);
    if (problem === '') claim.verdict = verdictIn(answer);
  }
}

export function verdictIn(answer: string): Verdict {
  const word = /\b(SUPPORTED|PARTLY|NOT)\b/.exec(answer)?.[1];
  if (word === 'SUPPORTED') return 'supported';
  if (word === 'PARTLY') return 'partly';
  return word === 'NOT' ? 'not' : 'not judged';
}
