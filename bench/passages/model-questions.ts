import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { visibleText } from '#core/text/visible-text.ts';
import { hasAll, questionSchema } from '../model/docs.ts';
import type { Asked } from './questions.ts';

/**
 * The questions of `bench/model`, asked of the page that answers each. They were written after the ranker was
 * tuned. Misses on two of them led to a change of it. The passages that are shown must hold all strings to find.
 *
 * A model wrote the phrasings from the questions alone, before anything was measured. It knows the documentation by heart, as a
 * model that calls the tool may. It had seen the answer of one question (01).
 */
const phrasings = z.record(z.string(), z.array(z.string()));

export const MODEL_QUESTIONS: readonly Asked[] = readQuestions();

function readQuestions(): Asked[] {
  const also = phrasings.parse(read('model-phrasings.json'));
  return questionSchema.parse(read('../model/questions.json')).map(({ id, question, page, find }) => {
    const [name = '', ...path] = page.split('/');
    return {
      package: name,
      page: path.join('/'),
      question,
      also: also[id] ?? [],
      isOther: false,
      isSplit: true,
      answers: (lines) => hasAll(lines.map(visibleText).join(' '), find),
    };
  });
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
}
