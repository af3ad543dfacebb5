/**
 * Asks questions on documentation and answers them through the reader tools of a running Periscope. Usage:
 *
 * npm run bench:questions -- CORPUS [--seed=1] [--seeds=1] [--questions=40] [--show]
 *
 * CORPUS has a folder of HTML pages for each package of documentation; they are served on loopback. A script makes the
 * questions from the HTML alone; the same seed gives the same questions. A question counts as answered if the tools
 * show the text with the answer within six calls, and two more for each further part of a long page. For each other
 * question, the result says whether the document has the answer at all. `--show` lists every question with its calls.
 */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startOrigin } from '#support/origin.ts';
import type { RouteTable } from '#support/origin.ts';
import { startServer } from '#support/server.ts';
import { Caller } from './attack/wire.ts';
import { ask, shows } from './questions/ask.ts';
import type { Asked, Question } from './questions/ask.ts';
import { factsOf } from './questions/facts.ts';
import type { Kind } from './questions/facts.ts';
import { answerOf, decoded, squeezed } from './questions/page-text.ts';
import { formatShare, wilson } from './interval.ts';
import { record } from './record.ts';
import { randomFrom } from '#scripts/docs/scale/random.ts';

const PAGE = /\.x?html?(?:\.[a-z-]+(?:\.[\w-]+)?)?$/;
const FILE_BYTES_MIN = 3_000;
/** The default of `MAX_BYTES` is 5,000,000. */
const FILE_BYTES_MAX = 4_900_000;
const ROWS_PER_READ = 200;
/** The number of questions in the scoreboard's command. */
const RECORDED = 80;

const corpus = resolve(process.argv[2] ?? '.');
const option = (name: string, byDefault: number) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? byDefault);
const show = process.argv.includes('--show');
const packages = readdirSync(corpus)
  .map((name) => ({ name, files: pagesIn(name) }))
  .filter(({ files }) => files.length > 0);
if (packages.length === 0) throw new Error(`There are no HTML pages in ${corpus}.`);

const routes: RouteTable = {};
const origin = await startOrigin(routes);
const server = await startServer({
  ALLOWED_PRIVATE_HOSTS: origin.host,
  BUDGET_CALLS_PER_MINUTE: '100000',
  BUDGET_CALLS_PER_DAY: '1000000',
});
try {
  const caller = new Caller(Number(new URL(server.mcpUrl).port), server.token);
  for (let seed = option('seed', 1), last = seed + option('seeds', 1); seed < last; seed += 1) {
    const asked: Asked[] = [];
    for (const question of questionsOf(seed, option('questions', 40))) asked.push(await ask(caller, question));
    await report(seed, asked, caller);
    if (seed === 1 && asked.length === RECORDED) recordAnswered(asked);
  }
} finally {
  await server.close();
  await origin.close();
}

/** Records the questions of the scoreboard: those of the first seed. */
function recordAnswered(asked: readonly Asked[]): void {
  const answered = asked.filter(({ isAnswered }) => isAnswered).length;
  record({
    row: 'questions',
    n: asked.length,
    value: formatShare(answered / asked.length),
    interval: wilson(answered, asked.length),
  });
}

function pagesIn(name: string): string[] {
  const folder = join(corpus, name);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && PAGE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > FILE_BYTES_MIN && statSync(file).size < FILE_BYTES_MAX)
    .toSorted();
}

/** Takes a question from each package, one at a time. A seed chooses pages and kinds; a page gives one question. */
function questionsOf(seed: number, count: number): Question[] {
  const random = randomFrom(seed);
  const asked = new Map<Kind, number>();
  const made: Question[] = [];
  const open = shuffled(packages, random).map(({ name, files }) => ({ name, files: shuffled(files, random) }));
  while (made.length < count) {
    const [from] = open;
    if (from === undefined) break;
    open.shift();
    const question = nextQuestion(from, asked, random);
    if (question === null) continue;
    asked.set(question.kind, (asked.get(question.kind) ?? 0) + 1);
    made.push(question);
    open.push(from);
  }
  return made;
}

/** A question on the first page that has a fact, of the kind that was asked least; `null` if no page is left. */
function nextQuestion(
  { name, files }: { name: string; files: string[] },
  asked: ReadonlyMap<Kind, number>,
  random: () => number,
): Question | null {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const facts = shuffled(factsOf(decoded(readFileSync(file))), random);
    const [fact] = facts.toSorted((a, b) => (asked.get(a.kind) ?? 0) - (asked.get(b.kind) ?? 0));
    if (fact !== undefined) return { ...fact, package: name, url: serve(file), byAnchor: random() < 0.5 };
  }
  return null;
}

/** Serves a file as a static server does: only the page itself names its charset. */
function serve(file: string): string {
  const { pathname } = new URL(
    `http://docs/${file
      .slice(corpus.length + 1)
      .split('/')
      .map(encodeURIComponent)
      .join('/')}`,
  );
  routes[pathname] = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(readFileSync(file));
  return origin.url + pathname;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

async function report(seed: number, asked: readonly Asked[], caller: Caller): Promise<void> {
  const answered = asked.filter(({ isAnswered }) => isAnswered);
  const mean = (of: (one: Asked) => number) =>
    answered.reduce((sum, one) => sum + of(one), 0) / Math.max(1, answered.length);
  const kinds = new Set(asked.map(({ question }) => question.kind)).size;
  const calls = mean((one) => one.calls).toFixed(2);
  const tokens = mean((one) => one.tokens).toFixed(0);
  const of = `${asked.length} questions of ${kinds} kinds on ${new Set(asked.map(({ question }) => question.package)).size} packages`;
  console.log(
    `seed ${seed}: ${answered.length}/${asked.length} answered, ${calls} calls and ${tokens} tokens each (${of})`,
  );
  for (const one of asked) {
    if (one.isAnswered && !show) continue;
    const { question, trail, calls: made, tokens: read } = one;
    console.log(`  ${one.isAnswered ? 'answered' : 'OPEN'} ${question.kind} · ${question.url}`);
    console.log(`    about ${JSON.stringify(question.about)}: ${JSON.stringify(answerOf(question.answer))}`);
    if (!one.isAnswered) console.log(`    ${one.failure ?? (await whereIs(question, caller))}`);
    console.log(`    ${made} calls, ${read} tokens: ${trail.join(' · ')}`);
  }
}

/** Reads the whole document, to distinguish an answer that was not reached from a missing one. */
async function whereIs(question: Question, caller: Caller): Promise<string> {
  const answer = squeezed(answerOf(question.answer) ?? '');
  const query = '?toolsets=reader&structured=off';
  let { text } = await caller.call('open_url', { url: question.url, num_lines: ROWS_PER_READ }, query);
  const cursor = /^Cursor: (\S+)$/m.exec(text)?.[1] ?? '';
  const seen: string[] = [];
  for (let next = 0; ;) {
    seen.push(text);
    if (shows(seen.slice(-2).join('\n'), answer)) return `not reached: it stands after line ${next}`;
    const loc = Number(/"loc":(\d+)\}$/m.exec(text)?.[1] ?? NaN);
    if (!Number.isInteger(loc) || loc <= next) return `the document does not have it${cutWords(seen)}`;
    next = loc;
    ({ text } = await caller.call('scroll', { cursor, loc, num_lines: ROWS_PER_READ }, query));
  }
}

/** The notice of a document that was cut at a limit. */
function cutWords(seen: readonly string[]): string {
  const note = seen.join('\n').match(/^Note: .*left out.*$/m)?.[0];
  return note === undefined ? '' : ` (${note})`;
}
