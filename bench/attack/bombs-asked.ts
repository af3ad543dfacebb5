import type { Bomb } from './bombs.ts';
import { page, repeated } from './bombs.ts';
import type { Rig } from './rig.ts';
import { at, textOf } from './wire.ts';
import type { Answer } from './wire.ts';

/** Short calls with expensive work. */

let count = 0;

/** Opens a page of plain text. @returns its cursor */
async function opened({ site, ana }: Rig, body: string): Promise<string> {
  const path = `/asked/${(count += 1)}`;
  site.routes[path] = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
  const answer = await ana.caller.call('web_open', { url: site.url + path });
  return textOf(at(answer.structured, 'cursor'));
}

const search = (name: string, word: string, queries: readonly string[]): Bomb => ({
  name: `search: ${name}`,
  prepare: async (rig) => {
    const body = repeated(`${word} `, 2_400_000);
    return async () => {
      await opened(rig, body);
      const answers: Answer[] = [];
      for (const query of queries) {
        answers.push(await rig.ana.caller.call('web_search', { query, count: 20 }));
        answers.push(await rig.ana.caller.call('search', { query }));
      }
      return answers;
    };
  },
});

/** The same calls in parallel, on a page that was opened before. */
const finding = (name: string, body: () => string, patterns: readonly string[]): Bomb => ({
  name: `find: ${name}`,
  prepare: async (rig) => {
    const cursor = await opened(rig, body());
    return () =>
      Promise.all(patterns.map((pattern) => rig.ana.caller.call('find', { cursor, pattern, is_regex: true })));
  },
});

const calls = (
  name: string,
  make: () => readonly (readonly [tool: string, args: Record<string, unknown>])[],
): Bomb => ({
  name,
  prepare: async ({ ana }) => {
    const made = make();
    return () => Promise.all(made.map(([tool, args]) => ana.caller.call(tool, args)));
  },
});

const EXPLODING = [
  '(a+)+$',
  '(a|a)*b',
  '(a{1,500}){1,500}',
  '((a{0,100}){0,100}){0,100}',
  '(.*.*.*.*.*)x',
  `(${Array.from({ length: 800 }, (_, i) => `a${i}`).join('|')})*z`,
  '\\p{L}{1000}',
  '(?i)(\\w+\\W+){50}z',
  '('.repeat(2_000),
  '[a-z]'.repeat(5_000),
];

export const ASKED: readonly Bomb[] = [
  search('a page of one word, 2.4 MB, and that word', 'zebrafinch', ['zebrafinch']),
  search('that word five times, as a phrase, with others', 'zebrawren', [
    'zebrawren zebrawren zebrawren zebrawren zebrawren',
    '"zebrawren zebrawren zebrawren"',
    'zebrawren* OR zebrawren NEAR zebrawren',
    'zebrawren lamp harbour',
  ]),
  search('a page of two letters, and a query of 150 of them', 'ab', ['ab '.repeat(150).trim(), 'ab'.repeat(200)]),
  search('a page of Chinese, and a query of it', '灯塔灯塔灯塔', ['灯塔', '灯塔 '.repeat(60)]),
  {
    name: 'search: 20 pages of one word, searched ten times at once',
    prepare: async (rig) => {
      for (let index = 0; index < 20; index += 1) await opened(rig, `${index} ${repeated('zebrajay ', 300_000)}`);
      return () =>
        Promise.all(
          Array.from({ length: 10 }, () => rig.ana.caller.call('web_search', { query: 'zebrajay zebrajay' })),
        );
    },
  },
  finding('expressions that explode', () => repeated(`${'a'.repeat(32)}! `, 2_000_000), EXPLODING),
  finding(
    '40 at once in 4 MB',
    () => repeated('the keeper of the lamp writes the log\n', 4_000_000),
    Array.from({ length: 40 }, () => 'keeper.*log|lamp'),
  ),
  calls('web_extract of 4 MB, four at once', () => {
    const html = `<main>${repeated('<p>A sentence of a page, with <b>bold</b> words.</p>', 4_000_000)}</main>`;
    return Array.from({ length: 4 }, () => ['web_extract', { html }] as const);
  }),
  {
    name: 'web_batch_open of ten pages of 4.9 MB',
    prepare: async ({ site, ana }) => {
      const body = page(4_900_000);
      const urls = Array.from({ length: 10 }, (_, index) => {
        const path = `/bomb/batch${index}`;
        site.routes[path] = (_request, response) =>
          void response.writeHead(200, { 'content-type': 'text/html' }).end(body);
        return site.url + path;
      });
      return async () => [await ana.caller.call('web_batch_open', { urls, concurrency: 6 })];
    },
  },
  calls('arguments 1 MB long and of 50,000 keys', () => [
    ['web_search', { query: 'x'.repeat(1_000_000) }],
    [
      'web_search',
      { query: 'x', ...Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index])) },
    ],
    [
      'web_search',
      { query: 'x', domain_denylist: Array.from({ length: 100_000 }, (_, index) => `d${index}.acme.org`) },
    ],
    ['scroll', { cursor: 'c'.repeat(1_000_000) }],
    ['web_open', { url: `http://${'a.'.repeat(400_000)}org/` }],
  ]),
  {
    name: '200 calls at once',
    prepare: async (rig) => {
      const cursor = await opened(rig, repeated('the keeper of the lamp\n', 200_000));
      return () =>
        Promise.all(Array.from({ length: 200 }, () => rig.ana.caller.call('scroll', { cursor, num_lines: 200 })));
    },
  },
  {
    name: 'sites that answer a byte a second, twenty at once',
    prepare: async ({ site, ana }) => {
      site.routes['/slow'] = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const timer = setInterval(() => response.write(' '), 1_000);
        response.on('close', () => clearInterval(timer));
      };
      return () =>
        Promise.all(
          Array.from({ length: 20 }, (_, index) => ana.caller.call('web_open', { url: `${site.url}/slow?${index}` })),
        );
    },
  },
];
