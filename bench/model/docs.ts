import { z } from 'zod';
import type { Endpoint } from './converse.ts';
import type { Corpus } from './corpus.ts';
import type { Reader, ReaderName } from './readers.ts';
import { traced } from './trace.ts';

/** A string that an answer must contain, or several of which it must contain one. */
const wanted = z.union([z.string(), z.array(z.string()).min(1)]);

export const questionSchema = z.array(
  z.strictObject({
    id: z.string(),
    question: z.string(),
    /** Path of the documentation's start page in the corpus. */
    start: z.string(),
    /** Path of a page with the answer. Models do not get it: it shows that the corpus fits the questions. */
    page: z.string(),
    find: z.array(wanted).min(1),
  }),
);
export type Question = z.output<typeof questionSchema>[number];

export type Answered = {
  id: string;
  reader: ReaderName;
  isRight: boolean;
  answer: string;
  calls: number;
  tokens: number;
  seconds: number;
  problem: string;
};

/** @throws if a page of the corpus does not contain the answer to its question */
export function checkQuestions(questions: readonly Question[], corpus: Corpus): void {
  const wrong = questions.filter(({ page, find }) => !hasAll(corpus.textAt(corpus.urlOf(page)) ?? '', find));
  if (wrong.length === 0) return;
  throw new Error(
    `The corpus does not answer these questions: ${wrong.map(({ id, page }) => `${id} (${page})`).join(', ')}.`,
  );
}

export async function answerQuestion(
  endpoint: Endpoint,
  name: ReaderName,
  reader: Reader,
  { id, question, start, find }: Question,
  corpus: Corpus,
  folder: string,
): Promise<Answered> {
  const prompt = `${question}\n\nThe documentation begins at ${corpus.urlOf(start)}. Read it with the tools; do not answer from memory. Answer in at most three sentences, with names, commands and numbers as the documentation writes them.`;
  const from = performance.now();
  const { answer, calls, usage, problem } = await traced(endpoint, reader, prompt, folder, `docs-${name}-${id}`);
  return {
    id,
    reader: name,
    isRight: problem === '' && hasAll(answer, find),
    answer,
    calls,
    tokens: usage.input + usage.output,
    seconds: Math.round((performance.now() - from) / 100) / 10,
    problem,
  };
}

/** True if a text contains each string, or one of each group, as separate words. */
export function hasAll(text: string, find: Question['find']): boolean {
  const flat = text.replace(/\s+/g, ' ').toLowerCase();
  return find.every((one) => [one].flat().some((string) => hasWords(flat, string.toLowerCase())));
}

const PART_OF_WORD = /[\p{L}\p{N}_]/u;

function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + words.length]];
    const isNumber =
      /^\d/.test(words) && (before === '.' || (after === '.' && /\d/.test(text[at + words.length + 1] ?? '')));
    if (!PART_OF_WORD.test(before) && !PART_OF_WORD.test(after) && !isNumber) return true;
  }
  return false;
}
