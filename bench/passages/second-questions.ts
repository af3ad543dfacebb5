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

const phrasings = z.record(z.string(), z.array(z.string()));

export const SECOND_QUESTIONS = readQuestions(here('second-questions.json'), here('second-phrasings.json'));

/**
 * Questions of other packages, written after the last change of the ranker by somebody who had not seen it. Phrasings are by a model
 * that had not opened the pages. Nobody has looked at which ones are answered.
 */
export function readClosedQuestions(): readonly Asked[] {
  return readQuestions(here('closed-questions.json'), here('closed-phrasings.json'));
}

/**
 * @param file JSON with the fields of `second-questions.json`
 * @param phrasingsFile JSON with phrasings by question
 */
export function readQuestions(file: string, phrasingsFile?: string): readonly (Asked & { isSeen: boolean })[] {
  const also = phrasingsFile === undefined ? {} : phrasings.parse(read(phrasingsFile));
  return written.parse(read(file)).map(({ answers, ...asked }) => ({
    ...asked,
    also: also[asked.question] ?? [],
    answers: (lines) => answers.some((answer) => has(lines, answer)),
  }));
}

function here(name: string): string {
  return join(import.meta.dirname, name);
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
