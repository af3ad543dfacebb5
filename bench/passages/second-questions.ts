import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { visibleText } from '#core/text/visible-text.ts';
import type { Asked } from './questions.ts';

/**
 * Questions by somebody who had not seen the ranker, with the pages to look in. One of several pieces of text answers each. Those
 * that are `isSeen` were looked at after all had been measured once; the others were not. Their totals chose the length of passages and the
 * way in which phrasings are added. A model wrote the phrasings from the question and the name of the page alone.
 */
const written = z.array(
  z.object({
    package: z.string(),
    language: z.string(),
    isOther: z.boolean(),
    isSeen: z.boolean(),
    question: z.string(),
    page: z.string(),
    answers: z.array(z.string()),
    others: z.array(z.string()),
  }),
);

const phrasings = z
  .record(z.string(), z.array(z.string()))
  .parse(read(join(import.meta.dirname, 'second-phrasings.json')));

export const SECOND_QUESTIONS = readQuestions(join(import.meta.dirname, 'second-questions.json'));

/** Questions of a JSON file with the fields of `second-questions.json`. */
export function readQuestions(file: string): readonly (Asked & { isSeen: boolean })[] {
  return written.parse(read(file)).map(({ answers, ...asked }) => ({
    ...asked,
    also: phrasings[asked.question] ?? [],
    answers: (lines) => answers.some((answer) => has(lines, answer)),
  }));
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Compares only letters and digits: Markdown marks, line breaks and quotes differ between a page and its lines. */
function has(lines: readonly string[], answer: string): boolean {
  const wanted = lettersOf(answer);
  return lettersOf(lines.map(visibleText).join(' ')).includes(wanted) || lettersOf(lines.join(' ')).includes(wanted);
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
