import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedModel } from '#support/scripted-model.ts';
import type { Asked, Reply, ScriptedModel } from '#support/scripted-model.ts';
import { claimsIn, collectClaims, inPage, judge, verdictIn } from '../../../bench/model/claims.ts';
import { serveCorpus } from '../../../bench/model/corpus.ts';
import type { Corpus } from '../../../bench/model/corpus.ts';
import { answerQuestion, checkQuestions, hasAll, questionSchema } from '../../../bench/model/docs.ts';
import { startReader } from '../../../bench/model/readers.ts';
import type { Reader } from '../../../bench/model/readers.ts';
import { topicSchema } from '../../../bench/model/claims.ts';
import questions from '../../../bench/model/questions.json';
import topics from '../../../bench/model/topics.json';

/** The model is a script: this proves the driver, and says nothing of any model. */

const scratch = mkdtempSync(join(tmpdir(), 'periscope-model-'));
const traces = join(scratch, 'traces');
const QUESTION = {
  id: '01',
  question: 'How long is a job kept?',
  start: 'queue/index.html',
  page: 'queue/limits.html',
  find: ['14 days', ['--keep', '-k']],
};
const QUOTE = 'A job is kept for 14 days, unless --keep says otherwise.';
let corpus: Corpus;
let reader: Reader;
let model: ScriptedModel;
let play: (asked: Asked) => Reply = () => ({ text: '' });

beforeAll(async () => {
  mkdirSync(join(scratch, 'corpus/queue'), { recursive: true });
  const page = (body: string) => `<!doctype html><title>Queue</title><script>0</script><main>${body}</main>`;
  writeFileSync(join(scratch, 'corpus/queue/index.html'), page('<p>See <a href="limits.html">the limits</a>.</p>'));
  writeFileSync(join(scratch, 'corpus/queue/limits.html'), page(`<h1>Limits</h1><p>${QUOTE}</p>`));
  corpus = await serveCorpus(join(scratch, 'corpus'));
  reader = await startReader('fetch', corpus.origin.host);
  model = await startScriptedModel((asked) => play(asked));
});
afterAll(async () => {
  await model.close();
  await corpus.origin.close();
  rmSync(scratch, { recursive: true });
});

const endpoint = (way: string) => ({ url: `${model.url}/${way}`, key: 'k-secret-1', model: 'scripted' });
/** Opens the first page, follows its link, and says what the script says. */
const readAndSay = (text: string) => (asked: Asked) => {
  const [start] = /http:\S+index\.html/.exec(asked.prompt) ?? [];
  const [, link] = /the limits \((\S+)\)/.exec(asked.results[0] ?? '') ?? [];
  if (asked.results.length === 0) return { calls: [{ tool: 'fetch', args: { url: start ?? '' } }] };
  return asked.results.length === 1 ? { calls: [{ tool: 'fetch', args: { url: link ?? '' } }] } : { text };
};

describe.each(['chat/completions', 'messages'])('a model behind /%s', (way) => {
  it('reads with the tool it is given, and its answer is compared with the strings of the question', async () => {
    play = readAndSay('For 14 days; --keep changes it.');
    const answered = await answerQuestion(endpoint(way), 'fetch', reader, QUESTION, corpus, traces);
    expect(answered).toMatchObject({ isRight: true, calls: 2, tokens: 330, problem: '' });
    expect(model.asked.at(-1)).toMatchObject({
      model: 'scripted',
      tools: ['fetch'],
      key: expect.stringContaining('k-secret-1'),
    });
    expect(model.asked.at(-1)?.results[1]).toContain(QUOTE);
  });

  it('is wrong when its answer lacks one of the strings', async () => {
    play = readAndSay('For 14 days.');
    expect(await answerQuestion(endpoint(way), 'fetch', reader, QUESTION, corpus, traces)).toMatchObject({
      isRight: false,
    });
  });

  it('leaves all other words, and never the key', async () => {
    play = readAndSay('For 14 days; -k changes it.');
    await answerQuestion(endpoint(way), 'fetch', reader, { ...QUESTION, id: 'trace' }, corpus, traces);
    const trace = readFileSync(join(traces, 'docs-fetch-trace.json'), 'utf8');
    expect(JSON.parse(trace)).toMatchObject({ model: 'scripted', answer: 'For 14 days; -k changes it.', calls: 2 });
    expect(trace).toContain(QUOTE);
    expect(trace).not.toContain('k-secret-1');
  });
});

describe('a plain fetch tool', () => {
  const call = async (args: Record<string, unknown>) => reader.call({ tool: 'fetch', args });

  it('gives text and links, some characters at a time', async () => {
    const url = corpus.urlOf('queue/limits.html');
    const first = await call({ url, max_length: 10 });
    expect(first.text).toMatch(/^.{10}\n\[\d+ more characters: start_index 10\]$/);
    expect((await call({ url, start_index: 10 })).text).toContain('kept for 14 days');
  });

  it('reaches nothing but the documentation', async () => {
    expect(await call({ url: 'http://127.0.0.1:1/' })).toMatchObject({ isError: true });
    expect(await call({ url: corpus.urlOf('../questions.json') })).toMatchObject({ isError: true });
  });
});

describe('an endpoint that fails', () => {
  it('makes the question wrong, and reports the reason', async () => {
    const nowhere = { ...endpoint('messages'), url: `${corpus.origin.url}/messages` };
    const answered = await answerQuestion(nowhere, 'fetch', reader, QUESTION, corpus, traces);
    expect(answered).toMatchObject({ isRight: false, problem: expect.stringMatching(/endpoint answered 404/) });
  });
});

describe('an answer', () => {
  it.each([
    [true, 'The limit is 10, at most 125.', ['10', '125']],
    [false, 'The limit is 100.', ['10']],
    [false, 'Since version 3.10.', ['10']],
    [true, 'It is 0.2.', ['0.2']],
    [true, 'Use git  worktree\nadd.', ['git worktree add']],
    [true, 'Use -u.', [['--include-untracked', '-u']]],
    [false, 'Use --update.', [['--include-untracked', '-u']]],
  ])('contains all strings as whole words: %s, "%s"', (expected, answer, find) => {
    expect(hasAll(answer, find)).toBe(expected);
  });

  it('is refused as a measure when the corpus does not contain it', () => {
    expect(() => checkQuestions([QUESTION], corpus)).not.toThrow();
    expect(() => checkQuestions([{ ...QUESTION, find: ['15 days'] }], corpus)).toThrow(/01 \(queue\/limits.html\)/);
  });
});

describe('claims with citations', () => {
  const topic = { id: '07', topic: 'how long jobs are kept.', start: 'queue/index.html' };
  const url = () => corpus.urlOf('queue/limits.html');

  it('are collected, and judged by a model that does not know which tools were used', async () => {
    const claims = [
      { claim: 'Jobs are kept for two weeks.', url: url(), quote: '  a job is kept for **14 days**' },
      { claim: 'Jobs are kept for ever.', url: url(), quote: 'A job is kept for ever.' },
    ];
    play = readAndSay(`Here they are:\n\`\`\`json\n${JSON.stringify(claims)}\n\`\`\``);
    const collected = await collectClaims(endpoint('messages'), 'fetch', reader, topic, corpus, traces);
    expect(collected.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['07-1', 'not judged'],
      ['07-2', 'not on the page'],
      ['07-3', 'none'],
    ]);
    play = () => ({ text: 'SUPPORTED' });
    const before = model.asked.length;
    await judge(endpoint('chat/completions'), collected, traces);
    const judged = model.asked.slice(before);
    expect(judged).toHaveLength(1);
    expect(judged[0]).toMatchObject({ tools: [], prompt: expect.stringContaining('«A job is kept for 14 days»') });
    expect(judged[0]?.prompt).not.toMatch(/periscope|fetch|127\.0\.0\.1/i);
    expect(collected[0]).toMatchObject({ verdict: 'supported' });
    expect(readdirSync(traces)).toContain('judged-001.json');
  });

  it.each([
    ['SUPPORTED', 'supported'],
    ['PARTLY.', 'partly'],
    ['NOT', 'not'],
    ['I cannot say.', 'not judged'],
  ])('are %s: %s', (answer, verdict) => {
    expect(verdictIn(answer)).toBe(verdict);
  });

  it('are none where the answer has no JSON, or JSON of another form', () => {
    for (const answer of ['', 'none', '[1, {"claim": 1}]', '] [', '[']) expect(claimsIn(answer)).toEqual([]);
  });

  it('do not exist on a missing page, and an empty quote is on no page', () => {
    expect(inPage(null, QUOTE)).toBeNull();
    expect(inPage('Some text.', '*')).toBeNull();
  });
});

describe('the questions and topics of the project', () => {
  it('have 30 and 20 distinct ids, and no question contains its answer', () => {
    expect(new Set(questionSchema.parse(questions).map(({ id }) => id)).size).toBe(30);
    expect(new Set(topicSchema.parse(topics).map(({ id }) => id)).size).toBe(20);
    const told = questionSchema.parse(questions).filter(({ question, find }) => hasAll(question, find));
    expect(told).toEqual([]);
  });
});
