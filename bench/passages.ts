/**
 * Measures `find_passages`. Usage:
 *
 *     npm run bench:passages -- CORPUS [--questions=first|seen|unseen|second|model|closed|FILE] [--phrasings=FILE] [--show]   which passages are found
 *     npm run bench:passages -- CORPUS --researches [--passages=5] [--show]                         what six researches cost a model
 *     npm run bench:passages -- --times                                                  how long ten pages take
 *
 * CORPUS holds a folder of HTML pages for each package of documentation. `first`: 64 questions by who tuned the ranker. `second`:
 * 48 by somebody who had not seen it; `seen`: half of these, for tuning; `unseen`: the half whose answers nobody looked at, so it is
 * never shown (the default). Its totals chose the length of passages. `model`: the 30 of `bench/model`, which came after the ranker.
 * `closed`: 54 about other packages, of which only totals are known. FILE: your own, as JSON with the fields of `bench/passages/second-questions.json`.
 * A question is asked of the page that answers it, and of ten pages of its package, this one among them: alone, and with other
 * phrasings where the set has them. It counts as answered when a line that answers it is in one of five passages; the
 * answers of `model` may be in several. Two other ways are measured on the same pages: SQLite's FTS5 with `bm25()` over
 * paragraphs, and BM25 over pieces of 1,000 characters. The file of `--phrasings` has other phrasings to use, as JSON by question.
 * Tokens are those of the lines that are shown.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: 'unseen' },
    show: { type: 'boolean', default: false },
    passages: { type: 'string', default: '5' },
    researches: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
    phrasings: { type: 'string' },
  },
});
const phrasingsByQuestion = z.record(z.string(), z.array(z.string()));
const corpus = resolve(positionals[0] ?? '.');

if (values.times) await (await import('./passages/times.ts')).measureTimes();
else if (values.researches)
  await (await import('./passages/researches.ts')).measureResearches(corpus, Number(values.passages), values.show);
else
  await (
    await import('./passages/recall.ts')
  ).measureRecall(corpus, values.questions, values.show, readPhrasings(values.phrasings));

function readPhrasings(file: string | undefined): Record<string, string[]> | null {
  return file === undefined ? null : phrasingsByQuestion.parse(JSON.parse(readFileSync(file, 'utf8')));
}
