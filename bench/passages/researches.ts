import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startOrigin } from '#support/origin.ts';
import type { RouteTable } from '#support/origin.ts';
import { startServer } from '#support/server.ts';
import { SEEN_RESEARCHES, UNSEEN_RESEARCHES } from './research-questions.ts';
import type { Research } from './research-questions.ts';
import { Caller } from '../attack/wire.ts';
import { record } from '../record.ts';

/** The tool's default number of passages. */
const PASSAGES_DEFAULT = 5;

/** Counts the cost of researches for a model that calls `find_passages`, and calls it again if a fact is missing. */
export async function measureResearches(corpus: string, max: number, show: boolean): Promise<void> {
  const routes: RouteTable = {};
  const origin = await startOrigin(routes);
  const server = await startServer({ ALLOWED_PRIVATE_HOSTS: origin.host });
  try {
    const caller = new Caller(Number(new URL(server.mcpUrl).port), server.token);
    const use = (name: string, some: readonly Research[], also = false) =>
      research(name, some, { caller, corpus, max, show, also, routes, site: origin.url });
    const unseen = await use('nobody tuned on', UNSEEN_RESEARCHES);
    await use('nobody tuned on, with other phrasings', UNSEEN_RESEARCHES, true);
    await use('looked at', SEEN_RESEARCHES);
    if (max === PASSAGES_DEFAULT) recordResearches(unseen);
  } finally {
    await server.close();
    await origin.close();
  }
}

type How = {
  caller: Caller;
  corpus: string;
  max: number;
  show: boolean;
  also: boolean;
  routes: RouteTable;
  site: string;
};

type Total = { calls: number; tokens: number; shown: number; passages: number; facts: number; found: number };

async function research(
  name: string,
  some: readonly Research[],
  { caller, corpus, max, show, also: mayRephrase, routes, site }: How,
): Promise<Total> {
  const total: Total = { calls: 0, tokens: 0, shown: 0, passages: 0, facts: 0, found: 0 };
  for (const { folder, pages, ask, also = [], next, facts } of some) {
    const urls = pages.map((page) => site + serve(corpus, folder, page, routes));
    const seen: string[] = [];
    let [calls, tokens] = [0, 0];
    const missing = () =>
      facts.filter(
        (fact) => !seen.some((text) => fact.every((words) => [words].flat().some((one) => text.includes(one)))),
      );
    for (const question of [ask, next]) {
      if (missing().length === 0) break;
      const rephrased = mayRephrase && question === ask ? { also } : {};
      const args = { question, ...rephrased, urls, max_passages: max };
      const { text, isRefused, body } = await caller.call('find_passages', args, '?toolsets=web&structured=off');
      if (isRefused) throw new Error(body);
      calls += 1;
      tokens += countTokens(JSON.stringify(args)) + countTokens(text);
      const parts = passagesIn(text);
      total.shown += countTokens(text);
      total.passages += parts.length;
      seen.push(...parts);
      if (show) console.log(`${text}\n`);
    }
    const open = missing().map((fact) => fact.map((words) => [words].flat().join(' or ')).join(' + '));
    console.log(`${calls} calls, ${tokens} tokens, ${facts.length - open.length} of ${facts.length} facts: ${ask}`);
    if (open.length > 0) console.log(`    missing: ${open.join('; ')}`);
    total.calls += calls;
    total.tokens += tokens;
    total.facts += facts.length;
    total.found += facts.length - open.length;
  }
  const { calls, tokens, shown, passages, found, facts } = total;
  console.log(
    `${some.length} researches ${name}: ${calls} calls, ${tokens} tokens, ${found} of ${facts} facts; ${passages} passages, ${(shown / passages).toFixed(0)} tokens each`,
  );
  return total;
}

function recordResearches({ calls, tokens, shown, passages, facts, found }: Total): void {
  record(
    { row: 'researches-facts', n: facts, value: `${found} of ${facts}` },
    { row: 'researches-tokens', n: calls, value: tokens.toLocaleString('en') },
    { row: 'researches-tokens-each', n: passages, value: (shown / passages).toFixed(0) },
  );
}

/** The text of each passage in lower case, without marks and line numbers. */
function passagesIn(text: string): string[] {
  const parts = text.split(/^\d+\. .*【[^】]*】$/m).slice(1);
  return parts.map((part) =>
    (part.match(/^L\d+: .*$/gm) ?? [])
      .map((line) => line.replace(/^L\d+: /, ''))
      .join(' ')
      .replace(/[`*\\]/g, '')
      .replace(/\s+/g, ' ')
      .toLowerCase(),
  );
}

function serve(corpus: string, folder: string, page: string, routes: RouteTable): string {
  const [file] = globSync(join(corpus, folder, page)).toSorted((a, b) => a.length - b.length);
  if (file === undefined) throw new Error(`There is no ${page} in ${folder}.`);
  const path = `/${folder.split('/')[0] ?? ''}/${page}`;
  routes[path] = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(readFileSync(file));
  return path;
}
