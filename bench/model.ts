import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatShare, wilson } from './interval.ts';
import { collectClaims, judge, topicSchema } from './model/claims.ts';
import type { Claim } from './model/claims.ts';
import { endpointFrom } from './model/converse.ts';
import type { Endpoint } from './model/converse.ts';
import { serveCorpus } from './model/corpus.ts';
import type { Corpus } from './model/corpus.ts';
import { answerQuestion, checkQuestions, questionSchema } from './model/docs.ts';
import type { Answered } from './model/docs.ts';
import { READERS, startReader } from './model/readers.ts';
import type { ReaderName } from './model/readers.ts';
import { record } from './record.ts';
import { columns } from './spine/stats.ts';

/**
 * `npm run bench:model -- docs|citations --corpus CORPUS --model NAME [--judge NAME] [--only ID,ID] [--out FOLDER]`: a
 * model reads documentation with the tools of Periscope, and again with a plain fetch tool.
 *
 * `docs`: 30 questions, each with strings that a right answer contains. `citations`: 60 claims with a page and words of
 * it. A judge who does not know which tools were used decides whether the words support the claim. `BENCH_MODEL_URL`
 * and `BENCH_MODEL_KEY` name the endpoint: any address that ends in `/chat/completions` or `/messages`.
 *
 * CORPUS has a folder for each of the unpacked Debian packages apache2-doc, debian-policy, git-doc, postgresql-doc-15,
 * python-django-doc, python3.11-doc, rust-doc and sqlite3-doc. FOLDER receives the conversations and the results;
 * `--tasks FILE` uses other questions or topics. Without a model there is no result. Only runs with all tasks of the
 * project are recorded for the scoreboard.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: 'string' },
    model: { type: 'string' },
    judge: { type: 'string' },
    only: { type: 'string', default: '' },
    tasks: { type: 'string' },
    out: { type: 'string' },
  },
});
const [kind = ''] = positionals;
if (kind !== 'docs' && kind !== 'citations') throw new Error('Say docs or citations.');
if (values.corpus === undefined) throw new Error('Name the folder of documentation in --corpus.');
if (values.model === undefined) throw new Error('Name the --model: there is no result without one.');
const endpoint = endpointFrom(process.env, values.model);
const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
const folder = values.out ?? join(import.meta.dirname, 'results/model', `${stamp}-${kind}`);
const only = values.only.split(',').filter((id) => id !== '');
const isWhole = only.length === 0 && values.tasks === undefined;
const named = `${endpoint.model} at ${new URL(endpoint.url).host}`;

const corpus = await serveCorpus(values.corpus);
try {
  if (kind === 'docs') await measureDocs(corpus);
  else await measureCitations(corpus);
} finally {
  await corpus.origin.close();
}

async function measureDocs(documentation: Corpus): Promise<void> {
  const questions = questionSchema.parse(tasks('questions.json')).filter(isAsked);
  checkQuestions(questions, documentation);
  const answered: Answered[] = [];
  for (const name of READERS) {
    const reader = await startReader(name, documentation.origin.host);
    try {
      for (const question of questions) {
        const one = await answerQuestion(endpoint, name, reader, question, documentation, folder);
        answered.push(one);
        console.log(
          `${name} ${one.id}: ${one.isRight ? 'right' : 'wrong'}${one.problem === '' ? '' : `, ${one.problem}`}`,
        );
      }
    } finally {
      await reader.close();
    }
  }
  keep({ answered });
  const of = (name: ReaderName) => answered.filter(({ reader }) => reader === name);
  const mean = (name: ReaderName, pick: (one: Answered) => number) =>
    of(name).reduce((sum, one) => sum + pick(one), 0) / of(name).length;
  const right = (name: ReaderName) => of(name).filter(({ isRight }) => isRight).length;
  const shown = (name: ReaderName, pick: (one: Answered) => number) => mean(name, pick).toFixed(1);
  console.log(
    `\n${named}\n${columns([
      ['tools', 'right', 'calls', 'tokens', 'seconds'],
      ...READERS.map((name) => [
        name,
        `${right(name)} of ${of(name).length}`,
        shown(name, ({ calls }) => calls),
        shown(name, ({ tokens }) => tokens),
        shown(name, ({ seconds }) => seconds),
      ]),
    ])}`,
  );
  if (!isWhole) return;
  const n = questions.length;
  const tokens = (name: ReaderName) =>
    mean(name, (one) => one.tokens).toLocaleString('en', { maximumFractionDigits: 0 });
  record(
    {
      row: 'model-docs',
      n,
      value: formatShare(right('periscope') / n, 2),
      interval: wilson(right('periscope'), n),
      others: { 'plain fetch': formatShare(right('fetch') / n, 2) },
      model: named,
    },
    {
      row: 'model-docs-tokens',
      n,
      value: tokens('periscope'),
      others: { 'plain fetch': tokens('fetch') },
      model: named,
    },
  );
}

async function measureCitations(documentation: Corpus): Promise<void> {
  const topics = topicSchema.parse(tasks('topics.json')).filter(isAsked);
  const claims: Claim[] = [];
  for (const name of READERS) {
    const reader = await startReader(name, documentation.origin.host);
    try {
      for (const topic of topics) {
        claims.push(...(await collectClaims(endpoint, name, reader, topic, documentation, folder)));
        console.log(`${name} ${topic.id}: asked`);
      }
    } finally {
      await reader.close();
    }
  }
  const asJudge: Endpoint = { ...endpoint, model: values.judge ?? endpoint.model };
  await judge(asJudge, claims, folder);
  keep({ judge: asJudge.model, claims });
  const of = (name: ReaderName) => claims.filter(({ reader }) => reader === name);
  const count = (name: ReaderName, verdict: Claim['verdict']) =>
    of(name).filter((one) => one.verdict === verdict).length;
  const verdicts = ['supported', 'partly', 'not', 'not on the page', 'none', 'not judged'] as const;
  console.log(
    `\n${named}, judged by ${asJudge.model}\n${columns([
      ['tools', ...verdicts],
      ...READERS.map((name) => [name, ...verdicts.map((verdict) => String(count(name, verdict)))]),
    ])}`,
  );
  if (!isWhole || claims.some(({ verdict }) => verdict === 'not judged')) return;
  const n = of('periscope').length;
  record({
    row: 'model-citations',
    n,
    value: formatShare(count('periscope', 'supported') / n, 2),
    interval: wilson(count('periscope', 'supported'), n),
    others: { 'plain fetch': formatShare(count('fetch', 'supported') / n, 2) },
    model: `${named}, judged by ${asJudge.model}`,
  });
}

function tasks(file: string): unknown {
  return JSON.parse(readFileSync(values.tasks ?? join(import.meta.dirname, 'model', file), 'utf8'));
}

function isAsked({ id }: { id: string }): boolean {
  return only.length === 0 || only.includes(id);
}

function keep(results: object): void {
  mkdirSync(folder, { recursive: true });
  const about = { model: endpoint.model, host: new URL(endpoint.url).host, date: stamp };
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify({ ...about, ...results }, null, 1)}\n`);
  console.log(`\nEvery word is in ${folder}.`);
}
