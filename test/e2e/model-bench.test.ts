import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startScriptedModel } from '#support/scripted-model.ts';
import type { Asked, Reply, ScriptedModel } from '#support/scripted-model.ts';

/** `npm run bench:model` with a script in place of the model: this proves the driver, and says nothing of any model. */

const PROJECT = join(import.meta.dirname, '../..');
const QUOTE = 'The lamp is lit one hour before sunset and put out at sunrise.';
let scratch: string;
let model: ScriptedModel;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'periscope-model-'));
  mkdirSync(join(scratch, 'corpus'));
  writeFileSync(join(scratch, 'corpus/lamp.html'), `<main><h1>The lamp</h1><p>${QUOTE}</p></main>`);
  const question = {
    id: '1',
    question: 'When is the lamp lit?',
    start: 'lamp.html',
    page: 'lamp.html',
    find: ['sunset'],
  };
  writeFileSync(join(scratch, 'questions.json'), JSON.stringify([question]));
  writeFileSync(join(scratch, 'topics.json'), JSON.stringify([{ id: '1', topic: 'the lamp.', start: 'lamp.html' }]));
  model = await startScriptedModel(play);
});
afterAll(async () => {
  await model.close();
  rmSync(scratch, { recursive: true });
});

/** Opens the page with any tool that opens pages, checks its quote if there is a tool for that, and answers. */
function play({ prompt, tools, results }: Asked): Reply {
  const [url = ''] = /http:\S+lamp\.html/.exec(prompt) ?? [];
  if (tools.length === 0) return { text: 'SUPPORTED' };
  if (results.length === 0)
    return { calls: [{ tool: tools.includes('open_url') ? 'open_url' : 'fetch', args: { url } }] };
  const [, cursor] = /^Cursor: (\S+)$/m.exec(results[0] ?? '') ?? [];
  if (results.length === 1 && cursor !== undefined)
    return { calls: [{ tool: 'cite', args: { cursor, quote: QUOTE } }] };
  const claim = { claim: 'The lamp burns at night.', url, quote: QUOTE };
  return { text: prompt.includes('JSON array') ? JSON.stringify([claim]) : 'One hour before sunset.' };
}

async function bench(kind: string, tasks: string): Promise<{ output: string; results: Record<string, unknown> }> {
  const out = join(scratch, kind);
  const options = ['--corpus', join(scratch, 'corpus'), '--model', 'scripted', '--tasks', join(scratch, tasks)];
  const child = spawn(process.execPath, [join(PROJECT, 'bench/model.ts'), kind, ...options, '--out', out], {
    env: { ...process.env, BENCH_MODEL_URL: `${model.url}/messages`, BENCH_MODEL_KEY: 'k-secret-1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The bench ended with ${code}: ${output}`);
  expect(output).not.toContain('k-secret-1');
  return { output, results: JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) };
}

it('documentation questions are answered with the tools of Periscope and with a plain fetch', async () => {
  const { output, results } = await bench('docs', 'questions.json');
  expect(results['answered']).toMatchObject([
    { reader: 'periscope', isRight: true, calls: 2, problem: '' },
    { reader: 'fetch', isRight: true, calls: 1, problem: '' },
  ]);
  expect(output).toContain('scripted at 127.0.0.1');
  expect(readdirSync(join(scratch, 'docs')).sort()).toEqual([
    'docs-fetch-1.json',
    'docs-periscope-1.json',
    'results.json',
  ]);
  const trace = readFileSync(join(scratch, 'docs/docs-periscope-1.json'), 'utf8');
  expect(trace).toContain('The page says, word for word:');
});

it('claims are judged by the text that they cite', async () => {
  const { results } = await bench('citations', 'topics.json');
  expect(results).toMatchObject({ model: 'scripted', judge: 'scripted' });
  const verdicts = ['supported', 'none', 'none'].map((verdict) => ({ verdict }));
  expect(results['claims']).toMatchObject([...verdicts, ...verdicts]);
});
